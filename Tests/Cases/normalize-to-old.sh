# To the oldest version, and once more, which changes nothing.
vcard normalize -t vcard2.1 samples/nextcloud.vcf -o old.vcf
vcard normalize -t vcard2.1 old.vcf -o again.vcf
cmp old.vcf again.vcf && head -n 24 old.vcf
