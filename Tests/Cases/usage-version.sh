vcard --version
