"""The turn that the tests play on the simulated table."""

from __future__ import annotations

TURN = """A roll 5 5 2
A use laborer
A keep 5 5
A use maid 2 > 4
A roll 3 1
A use fool 1 > 6
A keep 6 3
A buy farmer
B roll 6 5 4
B keep 6 5 4
B pass"""
