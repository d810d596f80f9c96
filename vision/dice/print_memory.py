"""What is printed, remembered: while all dice are in somebody's hand, the printed ones are alone in the picture."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from vision.boxes import Boxes
from vision.dice.detections import Detections, Float, chosen
from vision.dice.detector_api import TellsPrint
from vision.dice.nms import SURE_OF_SIZE, areas, intersection_area, usual_side
from vision.dice.print_filter import odds_printed
from vision.types import Image

SAME = 0.6  # common area from which it is the same place
STILL_PRINTED = -2.0  # logarithmic odds of it from which on, where it was printed a look ago, it still is
MOST, LOOKS = 64, 8  # places, and looks at one that count together
# So much of what lies around, or more, has come with it: a card. Counted in composed films: at four of 1,190 looks at
# what surely was a die, and at 54 of 61 at what surely was printed. Logarithmic odds, no surer than that.
CAME_WITH_IT, BY_A_CARD, BY_ITSELF = 0.5, 5.0, -1.0
SUREST = 0.999  # chance beyond which one look tells nothing
REMEMBERED_SECONDS = 300.0  # somebody may have moved the camera since


class PrintMemory:
    """Knows how large the dice of the game are, by those that surely lay there, and what was seen where.

    new_around: says of boxes (n, 4) in the newest picture which share of what lies around each, other boxes (m, 4)
    aside, came with it, NaN where nobody knows, and whether that may be a hand, which soon is gone.
    """

    def __init__(
        self,
        tells: TellsPrint | None = None,
        new_around: Callable[[Boxes, Boxes], tuple[Float, npt.NDArray[np.bool_]]] | None = None,
    ) -> None:
        self._tells, self._new_around = tells, new_around
        self._side, self._sure, self._seconds = 0.0, 0.0, -math.inf
        # Where something was seen: boxes, the mean logarithmic odds of it being printed by its looks, looks, the odds
        # by what came with it, what it was held for.
        self._places = np.zeros((0, 8), np.float32)

    def forget(self) -> None:
        """Nobody knows what has happened meanwhile."""
        self._side, self._places = 0.0, self._places[:0]

    def lying(self, found: Detections, seconds: float, *, closely: bool = False) -> Detections:
        """Without what is printed; learns from it, if enough dice surely lie there. What a quick look says of their
        size counts until a close look has seen it."""
        side, sure = usual_side(found.xyxy, found.ink)
        if sure >= SURE_OF_SIZE and (closely or not self._known(seconds)):
            self._side, self._sure, self._seconds = side, sure, seconds
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
        places = self._places[:, :4]
        common = intersection_area(boxes, places) / np.maximum(areas(boxes)[:, None], areas(places))
        same = common > SAME
        there = same.any(axis=1)
        odds, looks, was = np.zeros((3, len(boxes)), np.float32)
        came = np.full(len(boxes), np.nan, np.float32)
        if there.any():
            odds[there], looks[there], came[there], was[there] = self._places[common[there].argmax(axis=1), 4:].T
        chance = np.clip(ink, 1 - SUREST, SUREST)
        odds = (odds * looks + np.log(chance / (1 - chance))) / (looks + 1)
        now = came
        if self._new_around is not None:
            around, hand = self._new_around(boxes, places)
            told = np.where(around >= CAME_WITH_IT, BY_A_CARD, BY_ITSELF)
            now = np.fmax(came, np.where(np.isnan(around), np.nan, told))
            came = np.where(hand, came, now)  # a card soon belongs to the table
        chance = 1 / (1 + np.exp(-odds - np.nan_to_num(now)))
        size = (self._side, self._sure) if self._known(seconds) else usual_side(boxes, chance)
        judged = odds_printed(boxes, chance, *size) >= np.where(was > 0, STILL_PRINTED, 0.0)
        rows = np.column_stack([boxes, odds, np.minimum(looks + 1, LOOKS), came, judged])
        self._places = np.concatenate([self._places[~same.any(axis=0)], rows]).astype(np.float32)[-MOST:]
        return np.asarray(judged)

    def _known(self, seconds: float) -> float:
        """Pixels; 0 where nothing is known."""
        return self._side if 0 <= seconds - self._seconds < REMEMBERED_SECONDS else 0.0
