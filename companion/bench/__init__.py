"""`courtside bench`: figures measured on the user's machine."""
