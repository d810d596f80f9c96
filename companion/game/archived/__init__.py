"""Games of the archive: started, resumed, listed, replayed, checked and backed up."""
