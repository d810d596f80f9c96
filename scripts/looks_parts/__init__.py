"""The parts of `scripts/looks.py`: what is opened, and what is looked for there."""
