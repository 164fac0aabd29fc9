"""The program's manifest: the signed list of its files, and the comparison of the files with it."""
