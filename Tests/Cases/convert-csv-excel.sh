# Cells that a spreadsheet would run or spoil have an apostrophe.
printf 'BEGIN:VCARD\nVERSION:4.0\nFN:=1+1\nTEL:+15550100\nNOTE:@x\nADR:;;-1;;;01234;\nEND:VCARD\n' | vcard convert -t csv --excel
