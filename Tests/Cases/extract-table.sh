vcard extract -t table samples/google.vcf
