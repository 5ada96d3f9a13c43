# One file a contact, each in the form of one reader.
vcard split --for apple samples/nokia-2.1.vcf -o out/
ls out
cat 'out/Kaito Umeda.vcf'
