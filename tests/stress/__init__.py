"""Stress tests: floods, faults, kills and hostile input. Each module is a command that runs for minutes or hours."""
