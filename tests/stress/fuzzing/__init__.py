"""Parts of `tests/stress/fuzz.py`: targets, initial inputs, and a page that accepts forms."""
