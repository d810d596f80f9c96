"""Which frames are encoded, and for whom: viewers of the page, the clip of a misread, the archive."""

from __future__ import annotations

import time

import cv2
import numpy as np

from vision.process.protocol import Pictures
from vision.types import Image, Reading

KEPT_SECONDS = 0.25  # between pictures kept for misreads: enough to see what happened
SHOWN_WIDTH, SMALL_WIDTH = 960, 480  # pixels
SHOWN_QUALITY, KEPT_QUALITY, SMALL_QUALITY = 80, 88, 70


class Encoder:
    """Encodes what is due. `last` frame by frame; times of frames kept are the source's own, of those shown the
    clock's.
    """

    def __init__(self) -> None:
        self._shown_at = self._kept_at = float("-inf")
        self._fact: object = None  # what lay there when the archive was last given a picture

    def of(self, image: Image, reading: Reading, pause: float | None) -> Pictures:
        """The pictures wanted of this frame. pause: as in `Go`."""
        fact, now = (reading.throws, reading.active, reading.kept), time.monotonic()
        settled_anew = reading.settled and fact != self._fact
        due = settled_anew or not 0 <= reading.seconds - self._kept_at < KEPT_SECONDS
        shown = pause is not None and now - self._shown_at >= pause
        small = due and fact != self._fact
        if shown:
            self._shown_at = now
        if due:
            self._kept_at, self._fact = reading.seconds, fact
        return Pictures(
            _jpeg(image, SHOWN_WIDTH, SHOWN_QUALITY) if shown else None,
            _jpeg(image, image.shape[1], KEPT_QUALITY) if due else None,
            _jpeg(image, SMALL_WIDTH, SMALL_QUALITY) if small else None,
        )


def _jpeg(image: Image, width: int, quality: int) -> bytes:
    """At most so many pixels wide."""
    scale = width / image.shape[1]
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()
