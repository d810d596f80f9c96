"""The parts of `scripts/soak.py`: the evening it plays, and what is told of it."""
