"""Advice on Um Krone und Kragen: exact odds of a turn, what to do next, what to buy, who is winning.

`odds` and `best` answer for a position of a turn; `position` is that position; `kernel` binds the solver in kernel/*.c.
"""
