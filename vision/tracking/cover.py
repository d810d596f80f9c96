"""Where hands are and were, on a grid over the frame. Dice under a hand are remembered, not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.boxes import grown
from vision.tracking.constants import BLINK_SECONDS, HAND_SECONDS, WIDTH
from vision.types import Box

Times = npt.NDArray[np.float64]


class Cover:
    """For each cell of a grid: when a hand last covered it, and since when. Call `step` for each frame."""

    def __init__(self) -> None:
        self._pixels = 1.0  # width of a cell
        self._now = -math.inf  # seconds
        self._gap = 0.0  # seconds between the last two pictures
        self._blinked = -math.inf  # seconds of the last frame that came after lost ones
        self._last: Times = np.zeros((0, 0))
        self._since: Times = np.zeros((0, 0))

    def step(self, hands: Sequence[Box], size: tuple[int, int], seconds: float) -> None:
        """Notes the hands, boxes in pixels, in a frame of this (width, height)."""
        before, self._gap = self._gap, seconds - self._now
        if before <= BLINK_SECONDS < self._gap < math.inf:
            self._blinked = seconds
        self._pixels, self._now = size[0] / WIDTH, seconds
        shape = math.ceil(size[1] / self._pixels), WIDTH
        if self._last.shape != shape:
            self._last, self._since = np.full(shape, -np.inf), np.full(shape, -np.inf)
        for hand in hands:
            cells = self._cells(hand)
            last, since = self._last[cells], self._since[cells]
            since[last < seconds - HAND_SECONDS] = seconds
            last[:] = seconds

    def blinked(self, seconds: float) -> None:
        """Notes that frames were lost before this one, so changes in it may have happened unseen."""
        self._blinked = seconds

    def last(self, box: Box, around: float = 0.0) -> float:
        """Seconds when a hand last covered any part of a box grown by `around`."""
        return float(self._last[self._cells(grown(box, around))].max()) if self._last.size else -math.inf

    def near(self, box: Box, around: float, when: float) -> bool:
        """Whether a hand was over a box, grown by `around`, shortly before `when` seconds."""
        return self.last(box, around) >= when - HAND_SECONDS

    def missed(self, when: float) -> bool:
        """Whether frames were lost shortly before this time, so it is unknown how something arrived."""
        return 0.0 <= when - self._blinked < BLINK_SECONDS

    def now(self, box: Box, around: float = 0.0) -> bool:
        """Whether a hand covers any part of a box, grown by `around`, in this frame."""
        return self.last(box, around) == self._now

    def since(self, box: Box) -> float:
        """Seconds since which a hand covers the centre of a box; infinity if it was visible a moment ago."""
        middle = self._cells(grown(box, -0.25))
        if not self._last.size or self._last[middle].min() < self._now - 2 * HAND_SECONDS:
            return math.inf
        return float(self._since[middle].max())

    def _cells(self, box: Box) -> tuple[slice, slice]:
        """The cells of a box, at least one."""
        (rows, columns), cell = self._last.shape, self._pixels
        x, y = min(max(0, round(box[0] / cell)), columns - 1), min(max(0, round(box[1] / cell)), rows - 1)
        return slice(y, max(y + 1, round(box[3] / cell))), slice(x, max(x + 1, round(box[2] / cell)))
