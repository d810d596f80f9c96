"""Stabilises a hand-held or shaking camera: shifts its frames back to the first view."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.tracking.constants import LARGEST_DRIFT, MOSTLY, SHAKEN_SECONDS, SURE_SHIFT, WIDTH
from vision.tracking.regions import Mask, shares
from vision.tracking.small_picture import Grey, Small, changed, hardly_differs
from vision.types import Image

_CELLS = (4, 4)  # parts of the frame across and down
_DIFFERS = 0.01  # share of a part's pixels from which it differs from the table


class Steady:
    """Estimates camera drift by phase correlation with the empty table (C. D. Kuglin and D. C. Hines, The phase
    correlation image alignment method, 1975).

    A shift counts only if most parts of the frame differ from the table and far fewer do after shifting back. So a hand
    or a die is not mistaken for drift.

    Attributes:
        shift: Drift of the newest frame, pixels across and down.
        speed: Pixels a second.
    """

    def __init__(self) -> None:
        self.shift = (0, 0)
        self.speed = 0.0
        self._last: Small | None = None  # the picture before
        self._seconds = -np.inf  # of the newest picture
        self._shaken = -np.inf  # seconds of the last drift

    def step(self, image: Image, small: Small, table: Small | None, seconds: float) -> tuple[Image, Small]:
        """Shifts the next frame (H, W, 3) and its small copy back. table: small picture of the empty table; None if
        unknown."""
        before, apart, self._seconds = self.shift, seconds - self._seconds, seconds
        self._follow(small, table, image.shape[1] / WIDTH, seconds)
        self._last = small
        self.speed = math.dist(before, self.shift) / max(apart, 1e-3)
        if self.shift == (0, 0):
            return image, small
        back = self.back(image)
        return back, Small.of(back)

    def _follow(self, now: Small, table: Small | None, scale: float, seconds: float) -> None:
        if table is None or table.shape != now.shape:
            self.shift, self._shaken = (0, 0), -np.inf
            return
        moving, held = seconds - self._shaken < SHAKEN_SECONDS, (self.shift[0] / scale, self.shift[1] / scale)
        if not (moving or any(held)) and self._last is not None and hardly_differs(self._last, now):
            return  # the usual case
        differs = changed(table, now)
        if any(held):
            there = changed(table, Small(moved_by(now.pixels, *held)))
            if differs.sum() < MOSTLY * there.sum():  # the camera is back in its place
                held, self.shift = (0.0, 0.0), (0, 0)
            else:
                differs = there
        if _parts(differs) < MOSTLY and not moving:
            return
        found = drift_between(table.pixels, now.pixels)
        if found is not None and any((*found, *held)):
            left = changed(table, Small(moved_by(now.pixels, *found))).sum()
            if left <= (1.0 if any(held) else MOSTLY) * differs.sum():
                self.shift, self._shaken = (round(found[0] * scale), round(found[1] * scale)), seconds

    def back(self, image: Image) -> Image:
        """Any frame, shifted back like the newest one; its edge is repeated outside."""
        (x, y), (height, width) = self.shift, image.shape[:2]
        if (x, y) == (0, 0):
            return image
        seen = image[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)]
        beyond = max(0, -y), max(0, y), max(0, -x), max(0, x)
        return np.asarray(cv2.copyMakeBorder(seen, *beyond, cv2.BORDER_REPLICATE), np.uint8)


def drift_between(table: Grey, grey: Grey) -> tuple[float, float] | None:
    """Drift between two small pictures, in small pixels; None if uncertain."""
    (x, y), sure = shift_between(table, grey)
    return (x, y) if sure >= SURE_SHIFT and max(abs(x), abs(y)) <= LARGEST_DRIFT * WIDTH else None


def shift_between(before: Grey, now: Grey) -> tuple[tuple[float, float], float]:
    """Shift between two small pictures, across and down in small pixels, and the height of the correlation peak."""
    # phaseCorrelate overwrites its arguments.
    (x, y), sure = cv2.phaseCorrelate(before.copy(), now.copy(), _window(before.shape[::-1]))
    return (x, y), sure


@lru_cache(maxsize=2)
def _window(size: tuple[int, int]) -> Grey:
    return np.asarray(cv2.createHanningWindow(size, cv2.CV_32F), np.float32)


def _parts(mask: Mask) -> float:
    """Share of the frame's parts that differ from the table."""
    return float((shares(mask, _CELLS) > _DIFFERS).mean())


def moved_by(grey: Grey, x: float, y: float) -> Grey:
    """The picture shifted left by x and up by y, pixels."""
    size, matrix = grey.shape[1::-1], np.array([[1, 0, -x], [0, 1, -y]], np.float32)
    return np.asarray(cv2.warpAffine(grey, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
