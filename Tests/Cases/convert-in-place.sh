# Replaced, with the old one kept.
cp samples/whatsapp.vcf a.vcf && vcard convert -q -i --backup .old -t vcard4 a.vcf && ls && head -n 3 a.vcf && head -n 2 a.vcf.old
