"""Exact advice on Yatzy: the value of every scoresheet and of every choice in a turn."""
