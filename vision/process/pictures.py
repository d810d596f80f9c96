"""Decides which frames are encoded as JPEG, and for whom: viewers of the page, the clip of a misread die, the
archive."""

from __future__ import annotations

import time

import cv2
import numpy as np

from vision.process.protocol import Pictures
from vision.sources.jpeg import encoded
from vision.types import Image, Reading

KEPT_SECONDS = 0.25  # interval between frames kept for misread dice: enough to see what happened
SHOWN_WIDTH, SMALL_WIDTH = 960, 480  # pixels
SHOWN_QUALITY, KEPT_QUALITY, SMALL_QUALITY = 80, 88, 70


class Encoder:
    """Encodes frames when they are due. Frames for clips are timed by the source's clock, frames for viewers by the
    wall clock."""

    def __init__(self) -> None:
        self._shown_at = self._kept_at = float("-inf")
        self._fact: object = None  # the dice in the last frame for the archive

    def of(self, image: Image, reading: Reading, pause: float | None) -> Pictures:
        """The JPEGs wanted of this frame.

        Args:
            pause: As in `Go`.
        """
        fact, now = (reading.rolls, reading.active, reading.kept), time.monotonic()
        newly_settled = reading.settled and fact != self._fact
        due = newly_settled or not 0 <= reading.seconds - self._kept_at < KEPT_SECONDS
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
    """A JPEG of at most this width in pixels."""
    scale = width / image.shape[1]
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return encoded(image, quality)
