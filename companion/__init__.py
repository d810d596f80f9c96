"""The page, the command line and the archive: the only package that uses both `vision` and `engine`."""
