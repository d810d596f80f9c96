"""Shared parts of the training commands: images, cut-out dice, synthetic backgrounds and training data."""
