"""The parts of `tests/stress/load.py`: its clients, the house they visit, and what is told of it."""
