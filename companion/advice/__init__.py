"""Advice during a game, and reviews and statistics of finished games."""
