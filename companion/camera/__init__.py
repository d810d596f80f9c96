"""The camera while a game runs: its worker, recent pictures, a phone as camera, own dice."""
