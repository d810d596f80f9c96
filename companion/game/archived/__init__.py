"""Games of the archive: begun, resumed, listed, replayed, checked and copied."""
