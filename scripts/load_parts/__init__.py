"""The parts of `scripts/load.py`: its clients, the house they visit, and what is told of it."""
