# Parts that no value of the field has are refused, and the message says which there are.
vcard extract -F fullName.city samples/ios.vcf
vcard filter --where 'phones.city=Bristol' samples/ios.vcf
vcard edit --set name.city=Bristol samples/ios.vcf
vcard edit --remove birthday.city samples/ios.vcf
vcard convert -t csv --columns fulName samples/ios.vcf
