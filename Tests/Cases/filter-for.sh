# What is kept is written anew for Android: 2.1, lines not folded.
vcard filter --where 'fullName=*Tidewater*' --for android samples/ios.vcf
