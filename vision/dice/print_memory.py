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

SAME = 0.6  # common area from which it is the same place
STILL_PRINTED = 0.5  # chance of it, by all looks at the place, where it was printed a look ago
MOST, LOOKS = 64, 8  # places, and looks at one that count together
SUREST = 0.99  # chance beyond which one look tells nothing
REMEMBERED_SECONDS = 300.0  # somebody may have moved the camera since


class PrintMemory:
    """Knows how large the dice of the game are, by those that surely lay there, and what was seen where."""

    def __init__(self, tells: TellsPrint | None = None) -> None:
        self._tells = tells
        self._side, self._seconds = 0.0, -math.inf
        # Where something was seen: boxes, the mean logarithmic odds of it being printed, looks, what it was held for.
        self._places = np.zeros((0, 7), np.float32)

    def forget(self) -> None:
        """Nobody knows what has happened meanwhile."""
        self._side, self._places = 0.0, self._places[:0]

    def lying(self, found: Detections, seconds: float, *, closely: bool = False) -> Detections:
        """Without what is printed; learns from it, if enough dice surely lie there. What a quick look says of their
        size counts until a close look has seen it."""
        side, sure = usual_side(found.xyxy, found.ink)
        if sure >= SURE_OF_SIZE and (closely or not self._known(seconds)):
            self._side, self._seconds = side, seconds
        return chosen(found, ~self._judged(found.xyxy, found.ink, seconds))

    def printed(self, image: Image, boxes: Boxes, seconds: float) -> npt.NDArray[np.bool_]:
        """(n,) Which of the dice in these boxes (n, 4) are printed, judged beside each other."""
        if self._tells is None or len(boxes) == 0:
            return np.zeros(len(boxes), np.bool_)
        return self._judged(boxes, self._tells.ink(image, boxes), seconds)

    def _judged(self, boxes: Boxes, ink: Float, seconds: float) -> npt.NDArray[np.bool_]:
        """(n,) What is printed, by all looks at each place: one look errs where a hand is near, and a die that comes
        and goes seems thrown."""
        if len(boxes) == 0:
            return np.zeros(0, np.bool_)
        if self._side and not self._known(seconds):
            self.forget()
        known = self._places[:, :4]
        common = intersection_area(boxes, known) / np.maximum(areas(boxes)[:, None], areas(known))
        same = common > SAME
        there = same.any(axis=1)
        odds, looks, was = np.zeros((3, len(boxes)), np.float32)
        if there.any():
            odds[there], looks[there], was[there] = self._places[common[there].argmax(axis=1), 4:].T
        chance = np.clip(ink, 1 - SUREST, SUREST)
        odds = (odds * looks + np.log(chance / (1 - chance))) / (looks + 1)
        chance = 1 / (1 + np.exp(-odds))
        judged = printed(boxes, chance, self._known(seconds)) | ((was > 0) & (chance >= STILL_PRINTED))
        rows = np.column_stack([boxes, odds, np.minimum(looks + 1, LOOKS), judged])
        self._places = np.concatenate([self._places[~same.any(axis=0)], rows]).astype(np.float32)[-MOST:]
        return np.asarray(judged)

    def _known(self, seconds: float) -> float:
        """Pixels; 0 where nothing is known."""
        return self._side if 0 <= seconds - self._seconds < REMEMBERED_SECONDS else 0.0
