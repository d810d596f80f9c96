"""From light to a Reading: knows dice and zones, no game."""

import os

# OpenCV reads these when it is first loaded. Its decoders otherwise write their own complaints to standard
# error, next to the one sentence this program gives; and a picture that unpacks to more pixels than this is
# refused before memory is taken for it.
MOST_PIXELS = 60_000_000
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
