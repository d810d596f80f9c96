"""The consequences of an answer or a correction: other lines that were wrong because of it."""
