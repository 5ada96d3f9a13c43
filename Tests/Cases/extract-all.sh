vcard extract --all -F fullName,emails.1,phones samples/ios.vcf
