"""The current game: one record from what people enter and what the camera sees."""
