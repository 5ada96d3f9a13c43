vcard convert -n -o out/ -t json samples/ios.vcf samples/google.vcf
