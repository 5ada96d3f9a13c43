# Standard input, told by its first bytes.
vcard convert -t vcard4 < samples/people.json
