"""Floods, faults, kills and foreign data: each module is a command that runs for minutes or hours."""
