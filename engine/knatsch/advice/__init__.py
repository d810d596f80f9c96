"""Advice on Knatsch: exact odds of an attempt, which card to attack, which dice to keep, who is winning."""
