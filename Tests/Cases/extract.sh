vcard extract samples
