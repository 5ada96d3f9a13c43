vcard convert golden/properties-3.0.vcf -t json | vcard convert -f json -t vcard3
