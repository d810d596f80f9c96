"""Parts of `scripts/looks.py`: which pages it opens, and on which servers."""
