# Rows for the screen: the columns that are named, and all that some contact needs.
vcard convert -t table --columns fullName,emails.work,addresses.1.city samples/ios.vcf
vcard convert -t table samples/whatsapp.vcf | cut -c 1-100
vcard convert -t table samples/whatsapp.vcf -o out/ && ls out
