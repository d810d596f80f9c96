"""Composes video clips from real photos, runs the reader on them and scores it (`scripts/clips_from_photos.py`)."""
