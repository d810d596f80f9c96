"""`courtside bench`: benchmarks on the user's machine."""
