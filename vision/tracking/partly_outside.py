"""Finds dice cut by the edge of the frame: their values are unknown, and the page reports them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from vision.boxes import Boxes
from vision.dice.detections import Detections, Float, boxes_of, chosen
from vision.messages import CUT_DIE, Doubt
from vision.tracking.association import greedy_match
from vision.tracking.constants import SAME_PLACE, UNKNOWN_DIE, WIDTH
from vision.tracking.small_picture import Small, differs
from vision.types import Box, Image, Reading

AT_EDGE = 2.5  # pixels: a box that ends this near the edge of the frame is cut by it
FOUND = 0.5  # minimum finder score of a cut die: finds 32 of 59 cut dice, and something in 4 of 120 other photos
HALF_SEEN = 0.7  # ratio of the sides of a box at the edge, below which too much of the die is outside (guessed)
SIZES = 0.7, 1.5  # longer side of a cut box in die widths of this table, if known: minimum and maximum


@runtime_checkable
class Finds(Protocol):
    """A detector that can also list the candidates of its finder alone."""

    def candidates(self, image: Image, *, least: float) -> tuple[Boxes, Float]:
        """Boxes (n, 4) in pixels and scores (n,) of candidates that score at least `least`."""
        ...


class PartlyOutside:
    """Checks each settled table once for dice cut by the edge of the frame, if anything has changed near the edge.

    It does so one frame after the table settled, because a refined pass may have used the time of the first one.

    Args:
        detector: Without the method of `Finds`, no cut dice are found.
        matters: Whether a box (pixels) in a frame of this (width, height) is in a zone for dice.
    """

    def __init__(self, detector: object, matters: Callable[[Box, tuple[int, int]], bool]) -> None:
        self._detector = detector if isinstance(detector, Finds) else None
        self._matters = matters
        self._cut: bool | None = None  # None: the settled table is not checked yet
        self._checked: tuple[Small, bool] | None = None  # the small copy of the frame checked last, and what it showed
        self._settled = False  # the frame before was settled

    def checked(self, reading: Reading, image: Image | None, small: Small | None, die: float | None) -> Reading:
        """The reading, with a doubt if a die is cut and there is no other doubt.

        Args:
            small: The small copy of the frame.
            die: Width of the dice, pixels.
        """
        settled, self._settled = self._settled, reading.settled
        if not reading.settled or self._detector is None or image is None or small is None:
            self._cut = None
            return reading
        if self._cut is None and settled:
            near = round((die or 0.0) * WIDTH / image.shape[1]) or UNKNOWN_DIE
            if self._checked is None or _edge_differs(self._checked[0], small, near):
                boxes, _ = self._detector.candidates(image, least=FOUND)
                size = image.shape[1], image.shape[0]
                self._checked = small, any(self._matters(box, size) for box in cut_boxes(boxes, size, die))
            self._cut = self._checked[1]
        return replace(reading, doubt=Doubt(CUT_DIE)) if self._cut and reading.doubt is None else reading


def _edge_differs(before: Small, now: Small, near: int) -> bool:
    """Whether two frames differ within this number of small pixels of the edge."""
    if before.shape != now.shape:
        return True
    edge = np.ones(now.shape, np.bool_)
    edge[near:-near, near:-near] = False
    return bool(differs(before, now)[edge].any())


def without_halves(found: Detections, size: tuple[int, int], known: list[Box]) -> Detections:
    """The detections without new dice that the edge of the frame halves.

    Args:
        size: (width, height) of the frame.
        known: Places of dice that were read before a knock of the camera moved them to the edge.
    """
    half = half_outside(found.xyxy, size)
    if half.any():
        half[[*greedy_match(boxes_of(found), known, SAME_PLACE)]] = False
    return chosen(found, ~half)


def half_outside(boxes: Boxes, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """(n,) True for boxes (n, 4) of dice that the edge of a frame of this (width, height) has cut by a third or more.

    Readers see the die continued by its mirror image, so they take half of a one for a two.
    """
    ends = np.concatenate([boxes[:, :2], np.array(size) - boxes[:, 2:]], axis=1) < AT_EDGE  # left, top, right, low
    across, down = (boxes[:, 2:] - boxes[:, :2]).T
    narrow, flat = across < HALF_SEEN * down, down < HALF_SEEN * across
    return np.asarray((narrow & (ends[:, 0] | ends[:, 2])) | (flat & (ends[:, 1] | ends[:, 3])))


def cut_boxes(boxes: Boxes, size: tuple[int, int], die: float | None = None) -> Iterable[Box]:
    """The boxes cut by the edge of a frame of this (width, height) that may be dice of this width (pixels)."""
    for left, top, right, low in boxes.tolist():
        longer = max(right - left, low - top)
        cut = min(left, top, size[0] - right, size[1] - low) < AT_EDGE
        if cut and (die is None or SIZES[0] * die < longer < SIZES[1] * die):
            yield left, top, right, low
