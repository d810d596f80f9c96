"""The last seconds of the camera, kept in memory, so that a misread can be saved for whoever trains the model."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections import deque

from vision.types import Motion, Reading

MOST = 48  # 12 s and more of the pictures that come to be kept: some 10 MB


class RecentFrames:
    """A ring of pictures and what was read in them."""

    def __init__(self) -> None:
        self._kept: deque[tuple[bytes, Reading]] = deque(maxlen=MOST)
        self._lock = threading.Lock()

    def take(self, jpeg: bytes, reading: Reading) -> None:
        """Keep this picture."""
        with self._lock:
            self._kept.append((jpeg, reading))

    def settled(self, frame: int | None = None) -> tuple[bytes, Reading] | None:
        """The newest picture on which dice lie still and uncovered, or that of this frame; None where there is none."""
        with self._lock:
            kept = [(jpeg, seen) for jpeg, seen in self._kept if seen.settled and seen.motion is Motion.STABLE]
        lying = (pair for pair in reversed(kept) if pair[1].dice and frame in (None, pair[1].frame))
        return next(lying, None)

    def newest(self) -> tuple[bytes, Reading] | None:
        """The newest picture there is."""
        with self._lock:
            return self._kept[-1] if self._kept else None

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
