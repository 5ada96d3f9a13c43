vcard convert no-such-file.vcf
