vcard extract --require url samples/whatsapp.vcf
