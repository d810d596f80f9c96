"""From light to a Reading: knows dice and zones, no game."""

import os

# Read by OpenCV when it is first loaded: its decoders otherwise write their own complaints to standard error, next to
# the one sentence this program gives.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
