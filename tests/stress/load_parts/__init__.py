"""Parts of `tests/stress/load.py`: clients, server and report."""
