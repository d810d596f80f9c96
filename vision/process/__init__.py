"""Watching a source in a process of its own, so that no picture can bring down who asks for it."""
