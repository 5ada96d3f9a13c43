vcard
