"""What advice on any game shares: a deadline, sentences, a finished game's decisions."""
