vcard convert -q golden/damaged.vcf -t jsonl
