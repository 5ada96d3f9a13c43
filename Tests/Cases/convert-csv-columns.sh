vcard convert -t csv --columns fullName,emails.work,phones.mobile.1,addresses.1.city,birthday samples/*.vcf
