# The steps run, and the result has the form that Outlook reads.
vcard normalize --for outlook samples/google.vcf | head -n 20
