"""Clips composed from real photos, and how they are watched and scored (`scripts/clips_from_photos.py`)."""
