# The first error ends the run.
vcard convert --strict golden/damaged.vcf -t jsonl
