"""From detections, frame by frame, to tracked dice and readings."""
