"""How large the dice of a game are, remembered: while they are in somebody's hand printed ones are alone in sight."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from vision.detections import Detections, Float, chosen
from vision.matching import Boxes
from vision.rivals import SURE_OF_SIZE, printed, usual_side

REMEMBERED_SECONDS = 300.0  # somebody may have moved the camera since


class DiceSize:
    """Learns from close looks at what surely lies there; judges what may be printed."""

    def __init__(self) -> None:
        self._side, self._seconds = 0.0, -math.inf

    def forget(self) -> None:
        """Nobody knows what has happened meanwhile."""
        self._side = 0.0

    def learn(self, seen: Detections, seconds: float) -> None:
        """From a close look at a table at rest, if enough dice surely lie there."""
        side, sure = usual_side(seen.xyxy, seen.ink)
        if sure >= SURE_OF_SIZE:
            self._side, self._seconds = side, seconds

    def lying(self, found: Detections, seconds: float) -> Detections:
        """Without what is printed. While no size is known, a detector has judged each beside the others already."""
        known = self._known(seconds)
        return chosen(found, ~printed(found.xyxy, found.ink, known)) if known else found

    def printed(self, boxes: Boxes, ink: Float, seconds: float) -> npt.NDArray[np.bool_]:
        """(n,) Which of the dice in these boxes are printed. ink: (n,) the chance of it by what is around each."""
        return printed(boxes, ink, self._known(seconds))

    def _known(self, seconds: float) -> float:
        """Pixels; 0 where nothing is known."""
        return self._side if 0 <= seconds - self._seconds < REMEMBERED_SECONDS else 0.0
