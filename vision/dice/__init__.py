"""From a picture to detections: find the dice (YOLO), then read each."""
