vcard extract -F fullName,emails,phones.1.labels,organization.name,birthday -t csv samples/ios.vcf samples/nextcloud.vcf
