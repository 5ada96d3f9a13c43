vcard validate --as vcard4 golden/properties-3.0.vcf
