"""Reads dice from camera frames into a `Reading`; knows dice and zones, but no game."""

import os

# OpenCV reads this when it is imported. It keeps its decoders from writing to standard error, where we print one
# sentence of our own.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
