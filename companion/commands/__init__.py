"""One module for each command of the `courtside` program."""
