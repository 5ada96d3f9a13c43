vcard validate golden/damaged.vcf
