# The nearest name is told.
vcard convert -t vcard5 samples/ios.vcf
