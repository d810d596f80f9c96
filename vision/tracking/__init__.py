"""From detections, picture by picture, to dice that are followed, and to readings."""
