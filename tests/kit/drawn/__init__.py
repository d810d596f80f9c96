"""Pictures made of photographs and from scratch, to train on and to test with: dice, what looks like them, places."""
