"""Advice on Um Krone und Kragen: exact odds of a turn, what to do next, what to buy, who is winning.

`odds` and `best` solve a `turn_position`; `kernel` binds the solver in kernel/*.c.
"""
