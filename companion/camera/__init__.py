"""What the camera sees beside the dice."""
