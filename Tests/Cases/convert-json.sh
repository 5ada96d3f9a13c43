# A record an object, in an array.
vcard convert golden/properties-4.0.vcf -t json
