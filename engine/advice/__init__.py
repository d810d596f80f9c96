"""Shared by the advice on all games: a deadline, sentences, the review of decisions."""
