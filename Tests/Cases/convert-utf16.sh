# UTF-16 with a mark.
printf '\377\376B\0E\0G\0I\0N\0:\0V\0C\0A\0R\0D\0\n\0F\0N\0:\0\344\0\n\0E\0N\0D\0:\0V\0C\0A\0R\0D\0\n\0' | vcard convert -t jsonl
