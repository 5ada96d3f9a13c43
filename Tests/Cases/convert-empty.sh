# No contact came in.
vcard convert -t json < /dev/null
