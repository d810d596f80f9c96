"""Whole games between simulated players: the advisor, and simple players as its opponents."""
