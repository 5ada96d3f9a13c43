# What is wrong is told, the rest is converted.
vcard convert golden/damaged.vcf -t vcard4
