"""The dice detector: finds the dice in an image (YOLO) and reads the top face of each."""
