"""Parts of `tests/stress/soak.py`: the evening and the report."""
