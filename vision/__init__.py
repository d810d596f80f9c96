"""From light to a Reading: knows dice and zones, no game."""
