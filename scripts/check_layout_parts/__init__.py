"""Parts of `scripts/check_layout.py`: which pages it opens, and on which servers."""
