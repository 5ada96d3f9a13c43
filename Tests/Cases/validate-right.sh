vcard validate golden/properties-4.0.vcf
