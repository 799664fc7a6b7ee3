@rem On Windows, npm start runs this file, because cmd.exe has no exec. Elsewhere exec is the shell's, so that a signal to npm reaches Parley.
@%*
