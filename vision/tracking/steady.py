"""A camera held in a hand or on a shaking table: its pictures moved back to where they were."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np

from vision.tracking.constants import SHAKEN_PART, SHAKEN_SECONDS, SURE_SHIFT, WANDERS, WIDTH
from vision.tracking.regions import Mask
from vision.tracking.small_picture import Bytes, Grey, Small, changed, shrunk
from vision.types import Image

_CELLS = 4  # the picture is cut into so many parts either way …
_DIFFERS = 0.01  # … of which one differs from the table where so much of it does


class Steady:
    """Tells from each picture, by phase correlation with the empty table, how far the camera has wandered (C. D. Kuglin
    and D. C. Hines, The phase correlation image alignment method, 1975). Only where most parts of the picture differ
    from the table, and much less of it when moved back: a hand or a die is no wandering camera.
    """

    def __init__(self) -> None:
        self.shift = (0, 0)  # pixels across and down by which the newest picture has wandered
        self.speed = 0.0  # … and how fast, pixels a second
        self._seconds = -np.inf  # of the newest picture
        self._shaken = -np.inf  # seconds when it last had
        self._window: Grey = np.zeros((0, 0), np.float32)

    def step(self, image: Image, small: Bytes, table: Grey | None, seconds: float) -> tuple[Image, Bytes]:
        """The next picture (H, W, 3) and its small copy as `shrunk` makes it, both moved back. table: what the small
        copy of the empty table shows in grey, None while nobody knows."""
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
        before, apart, self._seconds = self.shift, seconds - self._seconds, seconds
        self._follow(grey, table, image.shape[1] / WIDTH, seconds)
        self.speed = math.dist(before, self.shift) / apart if apart > 0 else 0.0
        if self.shift == (0, 0):
            return image, small
        back = self.back(image)
        return back, shrunk(back)

    def _follow(self, grey: Grey, table: Grey | None, scale: float, seconds: float) -> None:
        if table is None or table.shape != grey.shape:
            self.shift, self._shaken = (0, 0), -np.inf
            return
        known = Small.of(table)
        held = self.shift[0] / scale, self.shift[1] / scale
        differs = changed(known, Small.of(_moved(grey, *held) if any(held) else grey))
        if not _all_over(differs) and seconds - self._shaken >= SHAKEN_SECONDS:
            return
        found = self._found(table, grey)
        if found is None or not any((*found, *held)):
            return
        left = changed(known, Small.of(_moved(grey, *found))).sum()
        if left <= (1.0 if any(held) else SHAKEN_PART) * differs.sum():
            self.shift, self._shaken = (round(found[0] * scale), round(found[1] * scale)), seconds

    def back(self, image: Image) -> Image:
        """A picture moved back by as much as the newest; its edge is drawn out where it shows nothing."""
        return image if self.shift == (0, 0) else np.asarray(_moved(image, *self.shift), np.uint8)

    def _found(self, table: Grey, grey: Grey) -> tuple[float, float] | None:
        """How far it has wandered, in small pixels; None where that is not sure."""
        if self._window.shape != table.shape:
            self._window = np.asarray(cv2.createHanningWindow(table.shape[::-1], cv2.CV_32F), np.float32)
        # It writes into what it is given.
        (x, y), sure = cv2.phaseCorrelate(table.copy(), grey.copy(), self._window)
        return (x, y) if sure >= SURE_SHIFT and max(abs(x), abs(y)) <= WANDERS * WIDTH else None


def _all_over(mask: Mask) -> bool:
    """Whether something is true in half of the parts of a picture."""
    rows = np.array_split(mask, _CELLS)
    parts = [part.mean() > _DIFFERS for row in rows for part in np.array_split(row, _CELLS, axis=1)]
    return bool(2 * sum(parts) >= len(parts))


def _moved(picture: Any, x: float, y: float) -> Any:
    """The picture moved to the left and up by so many of its pixels."""
    size, matrix = picture.shape[1::-1], np.array([[1, 0, -x], [0, 1, -y]], np.float32)
    return cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
