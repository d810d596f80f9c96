"""From readings to events: what the dice on the table mean for the running game."""
