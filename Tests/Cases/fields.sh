vcard fields
