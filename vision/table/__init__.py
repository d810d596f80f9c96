"""The printed mat and drawn areas: maps pixels to zones of the table."""
