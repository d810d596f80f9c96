"""Every game kept: append-only rows in SQLite or PostgreSQL, and what is read from them."""
