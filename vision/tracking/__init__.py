"""Tracks detected dice frame by frame and turns them into readings."""
