@rem package.json begins `npm start` with exec, which cmd.exe has not: see docs/decisions/0002-three-hosts.md.
@%*
