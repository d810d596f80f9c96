"""The last seconds of the camera, kept in memory, so that a misread can be saved for whoever trains the model."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Motion, Reading

SECONDS = 12.0
_EVERY = 0.25  # seconds between pictures kept: enough to see what happened, 10 MB at most
_QUALITY = 88


class RecentFrames:
    """A ring of pictures and what was read in them."""

    def __init__(self) -> None:
        self._kept: deque[tuple[bytes, Reading]] = deque(maxlen=round(SECONDS / _EVERY))
        self._last = float("-inf")
        self._lock = threading.Lock()

    def take(self, image: npt.NDArray[np.uint8], reading: Reading) -> None:
        """Keep this picture if the last one is old enough."""
        if 0 <= reading.seconds - self._last < _EVERY:
            return
        self._last = reading.seconds
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        with self._lock:
            self._kept.append((data.tobytes(), reading))

    def settled(self, frame: int | None = None) -> tuple[bytes, Reading] | None:
        """The newest picture on which dice lie still and uncovered, or that of this frame; None where there is none."""
        with self._lock:
            kept = [(jpeg, seen) for jpeg, seen in self._kept if seen.settled and seen.motion is Motion.STABLE]
        lying = (pair for pair in reversed(kept) if pair[1].dice and frame in (None, pair[1].frame))
        return next(lying, None)

    def packed(self) -> bytes | None:
        """All of it as a zip: numbered JPEGs and readings.json; None when nothing has been seen."""
        with self._lock:
            kept = list(self._kept)
        if not kept:
            return None
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for jpeg, reading in kept:
                archive.writestr(f"{reading.frame:08}.jpg", jpeg)
            archive.writestr("readings.json", json.dumps([_plain(reading) for _, reading in kept], indent=1))
        return out.getvalue()


def _plain(reading: Reading) -> dict[str, object]:
    dice = [
        {
            "value": die.value,
            "confidence": round(float(die.confidence), 3),
            "box": [round(float(x), 1) for x in die.xyxy],
            "kept": die.kept,
        }
        for die in reading.dice
    ]
    return {
        "frame": reading.frame,
        "seconds": round(float(reading.seconds), 3),
        "throw": reading.throw,
        "motion": reading.motion.value,
        "settled": reading.settled,
        "doubt": reading.doubt,
        "dice": dice,
    }
