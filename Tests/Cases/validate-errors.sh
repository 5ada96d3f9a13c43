# Warnings count as errors where asked.
vcard validate --error warnings --ignore value-type samples/thunderbird.vcf
