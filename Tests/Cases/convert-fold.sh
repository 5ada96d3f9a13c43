vcard convert --fold off samples/thunderbird.vcf | wc -l; vcard convert --fold 40 samples/whatsapp.vcf
