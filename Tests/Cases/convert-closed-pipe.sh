# A closed pipe ends the run quietly.
vcard convert -q samples samples samples -t json | head -c 20 | wc -c
