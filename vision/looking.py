"""How the detector is asked: a quick search, known dice read again, a close look at what has come to rest."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from vision.detections import Detections, chosen, joined
from vision.matching import Box, nearest
from vision.motion import MotionGate, Scene
from vision.tracker import SAME_PLACE, Tracker

Image = npt.NDArray[np.uint8]
Boxes = npt.NDArray[np.float32]

SEARCH_SECONDS = 1.0  # while nothing changes the picture is searched so often all the same
LYING_LOOKS = 2  # looks a die must have lain still before it is looked at closely
QUIET_LOOKS = 3  # looks without anything moving after which what has changed is looked at closely, dice or not
CALM_SECONDS = 0.12  # what stirred so lately may be blurred: a close look that does not see it denies nothing
SURE_NEWS = 0.85  # chance of a die times chance of its face from which a quick look is believed after a close one
SHAKEN_SECONDS = 1.5  # a picture in which nothing lies where it lay is looked at closely so often
AGAIN_SECONDS = 1.0  # what a close look could not tell is looked at closely no oftener
STILL_THERE = 0.5  # chance of being a die from which a known die still lies where it lay
LARGEST = 0.4  # of the picture's shorter side: a white sheet with dice on it is not one large die
BORDER = 2.0  # pixels: what touches the edge of a piece that was cut out is cut itself


class Detects(Protocol):
    """Anything that finds dice in a picture."""

    def detect(self, image: Image) -> Detections:
        """The dice in a (H, W, 3) uint8 BGR picture."""
        ...


@runtime_checkable
class Reads(Protocol):
    """A detector that can also take its time, and read known dice again without searching."""

    def detect(self, image: Image, *, thorough: bool = False) -> Detections:
        """The dice in a picture; `thorough` finds more and takes longer."""
        ...

    def read(self, image: Image, boxes: Boxes) -> Detections:
        """One row for each box; a score near 0 says that no die lies there any more."""
        ...


class Looking:
    """Asks a detector no more than it has to.

    Searching the picture takes several times as long as reading the dice known to lie there, and looking closely ten
    times as long. So the picture is searched while something in it differs from the last search, dice are read where
    they lie otherwise, and what has come to rest is looked at closely once, where the picture has changed. As long as
    nothing changes there, that look decides what is a die and counts most for what it shows.
    """

    def __init__(self, detector: Detects, gate: MotionGate, tracker: Tracker) -> None:
        self._detector = detector
        self._gate = gate
        self._tracker = tracker
        self._close: set[int] = set()  # the dice lying there that have been looked at closely
        self._closely = -np.inf  # seconds
        self._quiet = 0  # looks in a row without anything moving
        self._searched = -np.inf  # seconds
        self._in_motion = True  # the last search may have missed a blurred die

    def detections(self, image: Image, seconds: float, scene: Scene, always: bool = False) -> Detections:
        """The dice of the gate's newest picture. always: search it even if nothing has changed."""
        if not isinstance(self._detector, Reads):
            self._note(seconds, scene)
            return self._detector.detect(image)
        known = [*self._tracker.dice, *self._tracker.hidden]
        for die, unchanged in zip(known, self._gate.as_looked_at([die.box for die in known]), strict=True):
            die.unchanged = unchanged
        closely = self._at_rest(seconds, scene)
        search = always or self._must_search(seconds, scene)
        found = Detections.none()
        if search:
            self._note(seconds, scene)
            found = self._news(_not_too_large(self._detector.detect(image), image))
        if closely:
            found = self._closer(image, found, seconds, judge=not scene.hands)
        missed = self._tracker.missing(found, unchanged=not search)
        if len(missed):
            again = self._detector.read(image, missed)
            found = joined(found, chosen(again, again.scores >= STILL_THERE))
        return found

    def _must_search(self, seconds: float, scene: Scene) -> bool:
        return scene.fresh or self._in_motion or not 0 <= seconds - self._searched < SEARCH_SECONDS

    def _note(self, seconds: float, scene: Scene) -> None:
        self._searched, self._in_motion = seconds, bool(scene.moving)
        self._gate.was_searched()

    def _at_rest(self, seconds: float, scene: Scene) -> bool:
        """Whether something has come to rest that nobody has looked at closely."""
        dice = [die for die in self._tracker.dice if die.believed]
        again = not 0 <= seconds - self._closely < AGAIN_SECONDS
        self._close &= {die.track for die in dice if die.still and (die.close or not again)}
        self._quiet = 0 if scene.moving or scene.hands else self._quiet + 1
        arriving = any(not die.believed and not die.missed for die in self._tracker.dice)
        if arriving or any(die.still < LYING_LOOKS for die in dice):
            return False
        shaken = bool(dice) and not any(die.unchanged for die in dice) and seconds - self._closely >= SHAKEN_SECONDS
        if self._close.issuperset(die.track for die in dice) and self._quiet != QUIET_LOOKS and not shaken:
            return False
        self._close, self._closely = {die.track for die in dice}, seconds
        return True

    def _news(self, found: Detections) -> Detections:
        """Without doubtful finds of a quick search beside the dice known, where a close look at the same found none."""
        if not len(found):
            return found
        boxes: list[Box] = [tuple(map(float, box)) for box in found.xyxy]  # type: ignore[misc]
        known = nearest(boxes, [die.box for die in (*self._tracker.dice, *self._tracker.hidden)], SAME_PLACE)
        same = self._gate.as_looked_at(boxes)
        sure = _sure(found)
        return chosen(found, np.array([row in known or sure[row] or not same[row] for row in range(len(boxes))]))

    def _closer(self, image: Image, found: Detections, seconds: float, judge: bool) -> Detections:
        """What a close look at the changed pieces of the picture adds to what was found, or puts in its place.

        judge: what was doubtful and it does not confirm is no die; else a hand may cover a part of it.
        """
        assert isinstance(self._detector, Reads)
        also = [die.box for die in self._tracker.dice if die.believed and die.close is None]
        for left, top, right, low in self._gate.to_look_at(self._tracker.width, also):
            seen = _not_too_large(self._detector.detect(image[top:low, left:right], thorough=True), image)
            boxes = seen.xyxy + np.array([left, top, left, top], np.float32)
            inner = _inner(boxes, (left, top, right, low), (image.shape[1], image.shape[0]))
            looked = Detections(boxes, seen.probabilities, seen.scores, np.maximum(seen.looks, 2.0))
            seen = self._tracker.like_others(chosen(looked, inner))
            within = _inner(found.xyxy, (left, top, right, low), (image.shape[1], image.shape[0]))
            denied = within & ~_sure(found) & judge
            found = joined(seen, chosen(found, ~(_among(found.xyxy, boxes) | denied)))
            for die in [*self._tracker.dice] if judge else ():
                box = np.array([die.box], np.float32)
                whole = _inner(box, (left, top, right, low), (image.shape[1], image.shape[0]))[0]
                doubtful = die.stirred < seconds - CALM_SECONDS and die.last_chance < SURE_NEWS
                if whole and doubtful and not _among(box, boxes)[0] and not _among(boxes, box).any():
                    self._tracker.deny(die)
        self._gate.was_looked_at()
        return found


def _sure(found: Detections) -> npt.NDArray[np.bool_]:
    """What is surely a die and surely shows its value."""
    return np.asarray(found.scores * found.confidences >= SURE_NEWS)


def _not_too_large(found: Detections, image: Image) -> Detections:
    """Without what is too large for a die of a game that has room for seven in this picture."""
    sides = found.xyxy[:, 2:] - found.xyxy[:, :2]
    return chosen(found, (sides < LARGEST * min(image.shape[:2])).all(axis=1))


def _inner(boxes: Boxes, piece: tuple[int, int, int, int], size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Which boxes do not touch an edge of the piece that lies within the picture of this (width, height)."""
    edges = zip(piece, (0, 0, *size), (1, 1, -1, -1), strict=True)
    inner = np.ones(len(boxes), np.bool_)
    for side, (edge, end, inwards) in enumerate(edges):
        if edge != end:
            inner &= (boxes[:, side] - edge) * inwards > BORDER
    return inner


def _among(boxes: Boxes, others: Boxes) -> npt.NDArray[np.bool_]:
    """Which boxes have their middle in one of the others."""
    x, y = (boxes[:, [0]] + boxes[:, [2]]) / 2, (boxes[:, [1]] + boxes[:, [3]]) / 2
    inside = (x >= others[:, 0]) & (x <= others[:, 2]) & (y >= others[:, 1]) & (y <= others[:, 3])
    return np.asarray(inside.any(axis=1))
