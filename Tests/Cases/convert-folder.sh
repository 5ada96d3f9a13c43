# A folder's files become one file each.
mkdir in && cp samples/whatsapp.vcf samples/google.vcf in && vcard convert in -t jsonl -o out/ && ls out && wc -l < out/google.jsonl
