"""Remembers what is printed: while a player holds all dice, the printed ones are alone in the frame."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from vision.boxes import Boxes
from vision.dice.detections import Detections, Float, chosen
from vision.dice.detector_api import DetectsPrint
from vision.dice.nms import SURE_OF_SIZE, areas, intersection_area, usual_side
from vision.dice.print_filter import odds_printed
from vision.types import Image

SAME_BOX = 0.6  # intersection over union from which two boxes are the same place
STILL_PRINTED = -2.0  # A place printed one pass ago stays printed while its log-odds exceed this
MAX_PLACES, MAX_PASSES = 64, 8  # places remembered, and passes averaged at one place
# If at least CAME_WITH_IT of its surroundings appeared together with a die, it is on a card: its log-odds of print rise
# by BY_A_CARD, otherwise by BY_ITSELF. In composed clips, 4 of 1,190 real dice and 54 of 61 printed ones exceeded it.
CAME_WITH_IT, BY_A_CARD, BY_ITSELF = 0.5, 5.0, -1.0
CHANCE_CLIP = 0.999  # probabilities of one pass are clipped here
SIZE_KNOWN_SECONDS = 300.0  # after that the camera may have been moved


class PrintMemory:
    """Remembers the size of the game's dice and where print was seen.

    Args:
        new_around: For boxes (n, 4) in the newest frame and the other boxes (m, 4): the share of each box's
            surroundings that changed when it appeared (NaN if unknown), and whether the change may be a hand.
    """

    def __init__(
        self,
        detector: DetectsPrint | None = None,
        new_around: Callable[[Boxes, Boxes], tuple[Float, npt.NDArray[np.bool_]]] | None = None,
    ) -> None:
        self._detector, self._new_around = detector, new_around
        self._side, self._sure, self._seconds = 0.0, 0.0, -math.inf
        # One row for each place: box (4), mean log-odds of print, passes, log-odds by what appeared with it, last
        # verdict.
        self._places = np.zeros((0, 8), np.float32)

    def forget(self) -> None:
        """Forgets everything, for example after a gap in the frames."""
        self._side, self._places = 0.0, self._places[:0]

    def without_printed(self, found: Detections, seconds: float, *, refined: bool = False) -> Detections:
        """The detections without printed dice.

        Learns the dice size if enough real dice are visible. A size from a fast pass counts until a refined pass has
        seen it.
        """
        side, sure = usual_side(found.xyxy, found.ink)
        if sure >= SURE_OF_SIZE and (refined or not self._known(seconds)):
            self._side, self._sure, self._seconds = side, sure, seconds
        return chosen(found, ~self._judged(found.xyxy, found.ink, seconds))

    def printed(self, image: Image, boxes: Boxes, seconds: float) -> npt.NDArray[np.bool_]:
        """(n,) True for boxes (n, 4) that hold printed dice, judged together."""
        if self._detector is None or len(boxes) == 0:
            return np.zeros(len(boxes), np.bool_)
        return self._judged(boxes, self._detector.ink(image, boxes), seconds)

    def _judged(self, boxes: Boxes, ink: Float, seconds: float) -> npt.NDArray[np.bool_]:
        """(n,) True for printed dice, by the mean over all passes at each place: a single pass errs near a hand, and a
        die that disappears and returns looks rolled."""
        if len(boxes) == 0:
            return np.zeros(0, np.bool_)
        if self._side and not self._known(seconds):
            self.forget()
        places = self._places[:, :4]
        common = intersection_area(boxes, places) / np.maximum(areas(boxes)[:, None], areas(places))
        same = common > SAME_BOX
        there = same.any(axis=1)
        odds, passes, was = np.zeros((3, len(boxes)), np.float32)
        by_arrival = np.full(len(boxes), np.nan, np.float32)
        if there.any():
            odds[there], passes[there], by_arrival[there], was[there] = self._places[common[there].argmax(axis=1), 4:].T
        chance = np.clip(ink, 1 - CHANCE_CLIP, CHANCE_CLIP)
        odds = (odds * passes + np.log(chance / (1 - chance))) / (passes + 1)
        now = by_arrival
        if self._new_around is not None:
            around, hand = self._new_around(boxes, places)
            evidence = np.where(around >= CAME_WITH_IT, BY_A_CARD, BY_ITSELF)
            now = np.fmax(by_arrival, np.where(np.isnan(around), np.nan, evidence))
            by_arrival = np.where(hand, by_arrival, now)  # A hand soon leaves, so what it changed is not remembered
        chance = 1 / (1 + np.exp(-odds - np.nan_to_num(now)))
        size = (self._side, self._sure) if self._known(seconds) else usual_side(boxes, chance)
        judged = odds_printed(boxes, chance, *size) >= np.where(was > 0, STILL_PRINTED, 0.0)
        rows = np.column_stack([boxes, odds, np.minimum(passes + 1, MAX_PASSES), by_arrival, judged])
        self._places = np.concatenate([self._places[~same.any(axis=0)], rows]).astype(np.float32)[-MAX_PLACES:]
        return np.asarray(judged)

    def _known(self, seconds: float) -> float:
        """The usual side in pixels; 0 if unknown."""
        return self._side if 0 <= seconds - self._seconds < SIZE_KNOWN_SECONDS else 0.0
