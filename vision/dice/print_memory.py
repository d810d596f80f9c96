"""What is printed, remembered: while all dice are in somebody's hand, the printed ones are alone in the picture."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections, Float, chosen
from vision.dice.detector_api import TellsPrint
from vision.dice.nms import SURE_OF_SIZE, areas, intersection_area, usual_side
from vision.dice.print_filter import printed
from vision.tracking.boxes import Boxes
from vision.types import Image

STILL_PRINTED, SAME = 0.15, 0.6  # chance of it where print was seen before; common area from which it is that place
MOST = 64  # places
REMEMBERED_SECONDS = 300.0  # somebody may have moved the camera since


class PrintMemory:
    """Knows how large the dice of the game are, by those that surely lay there, and where print was seen."""

    def __init__(self, tells: TellsPrint | None = None) -> None:
        self._tells = tells
        self._side, self._seconds = 0.0, -math.inf
        self._prints = np.zeros((0, 4), np.float32)  # where some were seen

    def forget(self) -> None:
        """Nobody knows what has happened meanwhile."""
        self._side, self._prints = 0.0, self._prints[:0]

    def lying(self, found: Detections, seconds: float, *, closely: bool = False) -> Detections:
        """Without what is printed; learns from it, if enough dice surely lie there. What a quick look says of their
        size counts until a close look has seen it. While no size is known, a detector has judged each beside the
        others already."""
        side, sure = usual_side(found.xyxy, found.ink)
        if sure >= SURE_OF_SIZE and (closely or not self._known(seconds)):
            self._side, self._seconds = side, seconds
        return chosen(found, ~self._judged(found.xyxy, found.ink, seconds)) if self._known(seconds) else found

    def printed(self, image: Image, boxes: Boxes, seconds: float) -> npt.NDArray[np.bool_]:
        """(n,) Which of the dice in these boxes (n, 4) are printed, judged beside each other."""
        if self._tells is None or len(boxes) == 0:
            return np.zeros(len(boxes), np.bool_)
        return self._judged(boxes, self._tells.ink(image, boxes), seconds)

    def _judged(self, boxes: Boxes, ink: Float, seconds: float) -> npt.NDArray[np.bool_]:
        """(n,) What is printed. What was once is so until it surely is not: a die that comes and goes seems thrown."""
        same = intersection_area(boxes, self._prints) > SAME * np.maximum(areas(boxes)[:, None], areas(self._prints))
        judged = printed(boxes, ink, self._known(seconds)) | (same.any(axis=1) & (ink >= STILL_PRINTED))
        kept = self._prints[~same.any(axis=0)]
        self._prints = np.concatenate([kept, boxes[judged]])[-MOST:]
        return judged

    def _known(self, seconds: float) -> float:
        """Pixels; 0 where nothing is known."""
        return self._side if 0 <= seconds - self._seconds < REMEMBERED_SECONDS else 0.0
