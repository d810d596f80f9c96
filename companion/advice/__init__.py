"""Advice while a game runs, and what a finished game tells."""
