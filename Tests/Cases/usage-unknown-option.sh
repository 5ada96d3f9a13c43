vcard convert --too json samples/ios.vcf
