"""The page, the command, the archive: the only package that knows both others."""
