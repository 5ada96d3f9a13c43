# A profile names the version.
vcard join --for apple --to vcard4 samples/ios.vcf
