"""A camera held in a hand or on a shaking table: its pictures moved back to where they were."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.tracking.constants import (
    CARRIED,
    CARRIED_PARTS,
    MOSTLY,
    SHAKE,
    SHAKEN_SECONDS,
    SURE_SHIFT,
    WANDERS,
    WIDTH,
)
from vision.tracking.regions import Mask
from vision.tracking.small_picture import Bytes, Grey, Small, changed, hardly_differs, shrunk
from vision.types import Image

_CELLS = 4  # the picture is cut into so many parts either way …
_DIFFERS = 0.01  # … of which one differs from the table where so much of it does …
_ELSEWHERE = 0.1  # … and shows something else where so much does


class Steady:
    """Tells from each picture, by phase correlation with the empty table, how far the camera has wandered (C. D. Kuglin
    and D. C. Hines, The phase correlation image alignment method, 1975). Only where most parts of the picture differ
    from the table, and much less of it when moved back: a hand or a die is no wandering camera.
    """

    def __init__(self) -> None:
        self.shift = (0, 0)  # pixels across and down by which the newest picture has wandered
        self.speed = 0.0  # … and how fast, pixels a second
        # Pixels by which all has moved since the picture before, where the camera has been carried elsewhere.
        self.carried: tuple[float, float] | None = None
        self._last: Grey = np.zeros((0, 0), np.float32)  # the picture before
        self._seconds = -np.inf  # of the newest picture
        self._shaken = -np.inf  # seconds when it last had

    def step(self, image: Image, small: Bytes, table: Grey | None, seconds: float) -> tuple[Image, Bytes]:
        """The next picture (H, W, 3) and its small copy as `shrunk` makes it, both moved back. table: what the small
        copy of the empty table shows in grey, None while nobody knows."""
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
        before, apart, self._seconds = self.shift, seconds - self._seconds, seconds
        self.carried = None
        self._follow(grey, table, image.shape[1] / WIDTH, seconds)
        self._last = grey
        self.speed = math.dist((0, 0) if self.carried else before, self.carried or self.shift) / max(apart, 1e-3)
        if self.shift == (0, 0):
            return image, small
        back = self.back(image)
        return back, shrunk(back)

    def _follow(self, grey: Grey, table: Grey | None, scale: float, seconds: float) -> None:
        if table is None or table.shape != grey.shape:
            self.shift, self._shaken = (0, 0), -np.inf
            return
        moving, held = seconds - self._shaken < SHAKEN_SECONDS, (self.shift[0] / scale, self.shift[1] / scale)
        if not (moving or any(held)) and self._last.shape == grey.shape and hardly_differs(self._last, grey):
            return  # most of an evening
        known = Small.of(table)
        differs = changed(known, Small.of(grey))
        if any(held):
            there = changed(known, Small.of(moved_by(grey, *held)))
            if differs.sum() < MOSTLY * there.sum():  # it is back
                held, self.shift = (0.0, 0.0), (0, 0)
            else:
                differs = there
        if _parts(differs) < MOSTLY and not moving:
            return
        found = wandered(table, grey)
        if found is not None and any((*found, *held)):
            left = changed(known, Small.of(moved_by(grey, *found))).sum()
            if left <= (1.0 if any(held) else MOSTLY) * differs.sum():
                self.shift, self._shaken = (round(found[0] * scale), round(found[1] * scale)), seconds
                return
        # Where parts of the table still lie where they lay it is a hand that fills the picture.
        step = self._carried(grey, table) if _parts(differs, _ELSEWHERE) >= CARRIED_PARTS else None
        if step is not None:
            self.carried = (held[0] + step[0]) * scale, (held[1] + step[1]) * scale
            self.shift, self._shaken = (0, 0), -np.inf

    def back(self, image: Image) -> Image:
        """A picture moved back by as much as the newest; its edge is drawn out where it shows nothing."""
        (x, y), (height, width) = self.shift, image.shape[:2]
        if (x, y) == (0, 0):
            return image
        seen = image[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)]
        beyond = max(0, -y), max(0, y), max(0, -x), max(0, x)
        return np.asarray(cv2.copyMakeBorder(seen, *beyond, cv2.BORDER_REPLICATE), np.uint8)

    def _carried(self, grey: Grey, table: Grey) -> tuple[float, float] | None:
        """How far all of the picture has moved since the one before, in small pixels; None if not all has. A hand may
        fill a picture too, but is faster, or the table beneath too plain to tell."""
        if self._last.shape != grey.shape:
            return None
        last = Small.of(self._last)
        differs = changed(last, Small.of(grey))
        if _parts(differs) < CARRIED_PARTS:
            return None
        step = wandered(self._last, grey)
        if step is None or not SHAKE < math.hypot(*step) <= CARRIED * WIDTH:
            return None
        explained = changed(last, Small.of(moved_by(grey, *step))).sum() <= MOSTLY * differs.sum()
        tells = _parts(changed(Small.of(table), Small.of(moved_by(table, *step)))) >= CARRIED_PARTS
        return step if explained and tells else None


def wandered(table: Grey, grey: Grey) -> tuple[float, float] | None:
    """How far the camera has wandered from one small picture to another, in small pixels; None where that is not
    sure."""
    (x, y), sure = shift_between(table, grey)
    return (x, y) if sure >= SURE_SHIFT and max(abs(x), abs(y)) <= WANDERS * WIDTH else None


def shift_between(before: Grey, now: Grey) -> tuple[tuple[float, float], float]:
    """By how much one small picture is shifted from the other, across and down, and the height of the peak."""
    # It writes into what it is given.
    (x, y), sure = cv2.phaseCorrelate(before.copy(), now.copy(), _window(before.shape[::-1]))
    return (x, y), sure


@lru_cache(maxsize=2)
def _window(size: tuple[int, int]) -> Grey:
    return np.asarray(cv2.createHanningWindow(size, cv2.CV_32F), np.float32)


def _parts(mask: Mask, least: float = _DIFFERS) -> float:
    """In which share of the parts of a picture something is true of at least so much."""
    shares = cv2.resize(mask.astype(np.float32), (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
    return float((np.asarray(shares) > least).mean())


def moved_by(grey: Grey, x: float, y: float) -> Grey:
    """The picture moved to the left and up by so many of its pixels."""
    size, matrix = grey.shape[1::-1], np.array([[1, 0, -x], [0, 1, -y]], np.float32)
    return np.asarray(cv2.warpAffine(grey, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
