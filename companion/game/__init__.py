"""The running game: what people enter and what the camera saw, as one record."""
