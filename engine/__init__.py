"""Rules and odds: no I/O, no clock, no randomness."""
