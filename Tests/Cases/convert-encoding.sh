printf 'BEGIN:VCARD\nVERSION:3.0\nFN:\317\360\nEND:VCARD\n' | vcard convert --encoding windows-1251 -t jsonl
