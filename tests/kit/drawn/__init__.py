"""Synthetic images, from photos and from scratch, for training and tests: dice, look-alikes and backgrounds."""
