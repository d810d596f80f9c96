"""Detects an upside-down picture: dice farther from the camera look smaller."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.boxes import widths
from vision.types import Box

MIN_DICE = 12.0  # dice, beyond the first of each table, before the message is shown (guessed)
DECAY = 0.98  # weight that older tables keep with each new one: the camera may move (guessed)
MIN_GROWTH = 0.1  # of log width down the frame; counted: most oblique sources 0.16 and more
SURE_GROWTH = 5.0  # standard errors; counted: with 4 one of eleven sources was falsely reported, with 5 none


class UpsideDownDetector:
    """Estimates from all tables so far how dice grow down the frame.

    Least squares of log width against height in the frame, with one mean for each table. Seen from straight above, dice
    do not grow.
    """

    def __init__(self) -> None:
        self._number = 0.0  # number of dice, minus one for each table
        self._sums = np.zeros((2, 2))  # sums of squares and products of height in the frame and log width

    def add_dice(self, boxes: Sequence[Box], height: int) -> None:
        """Adds the dice of one table that were not counted in their places before. height: of the frame, pixels."""
        if len(boxes) < 2:
            return
        found = np.array(boxes, np.float64)
        both = np.stack([(found[:, 1] + found[:, 3]) / 2 / height, np.log(np.maximum(widths(found), 1.0))])
        both -= both.mean(axis=1, keepdims=True)
        self._sums = DECAY * self._sums + both @ both.T
        self._number = DECAY * self._number + len(boxes) - 1

    @property
    def looks_upside_down(self) -> bool:
        """Whether dice surely get smaller down the frame."""
        (across, product), (_, total) = self._sums
        if self._number < MIN_DICE or across <= 0:
            return False
        growth = product / across
        error = np.sqrt(max(total - growth * product, 1e-9) / (self._number - 1) / across)
        return bool(growth < -MIN_GROWTH and growth < -SURE_GROWTH * error)
