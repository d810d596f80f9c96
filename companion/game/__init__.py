"""The running game: its log, its timeline, and what records it."""
