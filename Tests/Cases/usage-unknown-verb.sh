vcard convrt
