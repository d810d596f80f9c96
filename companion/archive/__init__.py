"""The archive of games: append-only rows in SQLite or PostgreSQL, and queries on them."""
