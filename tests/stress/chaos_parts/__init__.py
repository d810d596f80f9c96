"""The parts of `tests/stress/chaos.py`: the program that is hurt, the table it watches, the faults."""
