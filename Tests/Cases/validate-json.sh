vcard validate --report json samples/thunderbird.vcf
