"""Checks whether a frame is good enough for reading dice: light, sharpness, frozen source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision import messages
from vision.tracking.constants import BLACK_SHARE, BRIGHT_SHARE, BURNT_LEVEL, DARK_LEVEL, FROZEN_SECONDS, WHITE_TABLE
from vision.types import Box, Image, SeenDie

BLUR_DIE = 0.13  # die widths: a wider edge is out of focus; a pip is about 0.2 wide (physics)


@dataclass(frozen=True, slots=True)
class DiceQuality:
    """The readability of the dice in a frame.

    Attributes:
        die_pixels: Median width, pixels.
        blur, glare: Medians of `blur_width` and `glare_share`.
        confidence: Of the least certain die, 0..1.
    """

    die_pixels: float
    blur: float
    glare: float
    confidence: float


def dice_quality(image: Image, dice: Sequence[SeenDie]) -> DiceQuality | None:
    """The quality of these dice; None if there are none."""
    if not dice:
        return None
    boxes = [die.xyxy for die in dice]
    return DiceQuality(
        float(np.median([box[2] - box[0] for box in boxes])),
        float(np.median([blur_width(image, box) for box in boxes])),
        float(np.median([glare_share(image, box) for box in boxes])),
        min(die.confidence for die in dice),
    )


class FrameQuality:
    """Checks every frame for darkness, overexposure and a frozen source."""

    def __init__(self, live: bool = False) -> None:
        self._live = live
        self._last: Image | None = None
        self._alike_since = 0.0
        self._whitest = 0.0  # largest overexposed share of any frame that showed something

    def step(self, image: Image, seconds: float) -> str | None:
        """One sentence about what is wrong with the next frame, of any size, or None. Only a live source can be
        frozen."""
        sample = np.asarray(cv2.resize(image, (160, 90), interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
        if self._live and (self._last is None or not np.array_equal(sample, self._last)):
            self._alike_since = seconds
        self._last = sample
        pixels = sample.shape[0] * sample.shape[1]
        if cv2.countNonZero(cv2.inRange(sample, (0, 0, 0), (DARK_LEVEL,) * 3)) > BLACK_SHARE * pixels:
            return messages.BLACK
        white = cv2.countNonZero(cv2.inRange(sample, (BURNT_LEVEL,) * 3, (255, 255, 255))) / pixels
        if white <= BRIGHT_SHARE:
            self._whitest = max(self._whitest, white)
        elif self._whitest < WHITE_TABLE:
            return messages.BRIGHT
        if self._live and seconds - self._alike_since >= FROZEN_SECONDS:
            return messages.FROZEN
        return None


def blur_width(image: Image, box: Box) -> float:
    """Width of the sharpest edges on a die, in die widths: 0.02 is crisp, 0.2 washed out.

    An edge from dark to light over w pixels rises by contrast / w per pixel.
    """
    left, top, right, bottom = (max(0, round(value)) for value in box)
    crop = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY).astype(np.float32)
    if min(crop.shape) < 4:
        return 1.0
    slope = np.hypot(cv2.Sobel(crop, cv2.CV_32F, 1, 0), cv2.Sobel(crop, cv2.CV_32F, 0, 1)) / 8.0
    contrast = float(np.percentile(crop, 97) - np.percentile(crop, 3))
    steepest = max(float(np.percentile(slope, 97)), 1e-3)
    return float(contrast / steepest / min(crop.shape))


def glare_share(image: Image, box: Box) -> float:
    """Share of a die's box that is overexposed, 0..1."""
    left, top, right, bottom = (max(0, round(value)) for value in box)
    crop = image[top:bottom, left:right]
    return float(np.mean(crop.min(axis=2) >= BURNT_LEVEL)) if crop.size else 0.0
