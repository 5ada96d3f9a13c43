# What came from CSV is what went in.
vcard convert golden/properties-4.0.vcf -t csv --photos inline | vcard convert -f csv -t vcard4
