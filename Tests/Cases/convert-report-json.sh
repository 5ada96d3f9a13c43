# Findings as JSON, one object a line.
vcard convert --report json golden/damaged.vcf -t vcard3
