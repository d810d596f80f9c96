"""Advice on Um Krone und Kragen: exact odds of a turn, what to do next, what to buy, who is winning.

`odds` and `best` solve a `position` of a turn; `kernel` binds the solver in kernel/*.c.
"""
