vcard extract -t jsonl -F fullName,emails samples/google.vcf
