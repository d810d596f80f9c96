"""What follows when a person answers a question or corrects a line: what else on record was wrong with it."""
