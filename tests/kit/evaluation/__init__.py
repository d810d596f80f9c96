"""The dice reader measured on labelled photos: what `scripts/evaluate.py` and the tests of its figures share."""
