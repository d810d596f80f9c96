"""What pages show of a game, as plain data: no language, no HTML."""
