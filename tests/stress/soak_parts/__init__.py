"""The parts of `tests/stress/soak.py`: the evening it plays, and what is told of it."""
