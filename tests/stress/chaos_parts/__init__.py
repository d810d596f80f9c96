"""Parts of `tests/stress/chaos.py`: the program under test, its table, and the faults."""
