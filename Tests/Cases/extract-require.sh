vcard extract --require email --no-header --limit 2 samples
