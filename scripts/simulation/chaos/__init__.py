"""The parts of `scripts/chaos.py`: the program that is hurt, the table it watches, the faults."""
