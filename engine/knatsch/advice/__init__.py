"""Advice on Knatsch: exact odds of an attempt, which card to go for, which dice to keep, who is winning."""
