"""The parts of `tests/stress/fuzz.py`: what is fed, what it is fed with first, and the page that takes forms."""
