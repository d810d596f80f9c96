"""Dice with an identity: detections of one picture after the other, joined by nearest place."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections, chosen
from vision.tracking.association import covering_more, greedy_match, without_doubles
from vision.tracking.boxes import Matrix, boxes_of, centre, corner_moved, middles, touch, width, widths
from vision.tracking.constants import (
    ALONE,
    CROWDED,
    DRIFT,
    DRIFT_SECONDS,
    LIES,
    LIKE,
    PART,
    REACH,
    REMEMBERED_SECONDS,
    REST_LOOKS,
    REST_SECONDS,
    ROLL_SPEED,
    SAME_PLACE,
    STEADY,
)
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.votes import Probabilities, worth
from vision.types import Box


@dataclass(frozen=True, slots=True)
class Look:
    """What one look says of a die: the chances of its six faces and of being one, whether it was a close look, whether
    it was read at all (what lies unchanged need not be), and whether a hand was in the picture."""

    chances: Probabilities
    score: float = 1.0
    closely: bool = False
    read: bool = True
    hand: bool = False


Near = Callable[[Box, float, float], bool]


class Tracker:
    """Follows dice over looks; `dice` are those seen now or a moment ago, `hidden` those remembered where they lay."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._compared = False  # whether the last look saw dice enough to tell a trembling camera
        self._tremble = (0.0, 0.0)  # how far the camera has wandered so far, pixels
        self._looked = math.inf  # seconds of the last look
        self._apart: deque[float] = deque(maxlen=REST_LOOKS)  # seconds between the last looks
        self.dice: list[TrackedDie] = []
        self.hidden: list[TrackedDie] = []

    @property
    def width(self) -> float | None:
        """Width of a die in pixels (median), None before any was seen."""
        boxes = [die.box for die in self.dice if die.believed] or [die.box for die in self.hidden]
        return median(map(width, boxes)) if boxes else None

    @property
    def worth(self) -> float:
        """So many looks of a fast camera one tells as much as, where the last ones all lie that far apart."""
        return worth(min(self._apart, default=0.0))

    def update(self, detections: Detections, seconds: float, hands: Sequence[Box] = ()) -> list[TrackedDie]:
        """Join the detections of the next look to the dice. Returns the dice believed to be there.

        hands: what they cover now (pixels); a die that lay there is hidden, not gone.
        """
        apart, self._looked = max(0.0, seconds - self._looked), seconds
        self._apart.append(apart)
        detections = self.single(detections)
        rows = without_doubles(detections)
        boxes: list[Box] = [tuple(map(float, detections.xyxy[row])) for row in rows]  # type: ignore[misc]
        scores, counts, hand = detections.scores.tolist(), detections.looks.tolist(), bool(hands)
        looks = [
            Look(_six(detections.probabilities[row]), scores[row], counts[row] > 1, counts[row] > 0, hand)
            for row in rows
        ]
        followed, back = self._matched(boxes)
        # A close look's boxes are another network's: what they differ by from a quick one's is no camera's motion.
        quickly = [(old, new) for old, new in followed.items() if not looks[new].closely]
        self._follow_tremble([(self.dice[old].box, boxes[new]) for old, new in quickly])
        missed = [die for old, die in enumerate(self.dice) if old not in followed]
        for old, new in followed.items():
            self._seen_again(self.dice[old], boxes[new], looks[new], seconds)
        for die in missed:
            self._missed(die, seconds, apart, hands)
        for old, new in back.items():
            self._came_back(self.hidden[old], boxes[new], looks[new], seconds)
        self.hidden = [die for die in self.hidden if die.hidden_since is not None]
        for die in self.hidden:
            lain = die.stirred < seconds - apart - REST_SECONDS and die.hidden_since != seconds
            die.busy_since += apart if lain else 0.0
        matched = {*followed.values(), *back.values()}
        for new in range(len(rows)):
            if new not in matched:
                self._born(boxes[new], looks[new], seconds)
        self.hidden = [die for die in self.hidden if seconds - (die.hidden_since or 0.0) < REMEMBERED_SECONDS]
        return [die for die in self.dice if die.believed]

    def single(self, detections: Detections) -> Detections:
        """Without what covers more than one of the dice believed to be there."""
        return chosen(detections, ~covering_more(detections, [die.box for die in self.dice if die.believed]))

    def missing(self, detections: Detections, unsearched: Collection[TrackedDie] = ()) -> list[TrackedDie]:
        """Lying dice that these detections do not show; unsearched: those that lie as they did a look ago."""
        boxes = boxes_of(detections)
        seen = greedy_match([die.box for die in self.dice], boxes, SAME_PLACE)
        lying = [
            die.still or die.hits == 1 or die.believed or (die in unsearched and not die.missed) for die in self.dice
        ]
        missed = [die for row, die in enumerate(self.dice) if row not in seen and lying[row]]
        # Where a die rolled by and another came to rest beside it, a look at the old place shows part of the new die.
        # Not so where a close look has seen both, and nothing has changed since.
        crowded = greedy_match([die.box for die in missed], boxes, CROWDED)
        return [die for row, die in enumerate(missed) if row not in crowded or (die.close and die.unchanged)]

    def like_others(self, detections: Detections) -> Detections:
        """Without what is far smaller or larger than the dice already followed.

        Of a die behind another, and of a dark one with a bright top, the box may hold the top face alone: it is as wide
        as the die is.
        """
        if self.width is None or len(detections) == 0:
            return detections
        longer = (detections.xyxy[:, 2:] - detections.xyxy[:, :2]).max(axis=1)
        larger = widths(detections.xyxy.astype(np.float64)) / self.width
        return chosen(detections, (longer > self.width / LIKE) & (larger < LIKE))

    def shift(self, matrix: Matrix) -> None:
        """The camera was bumped: every remembered place moves with the picture (3×3, old pixels → new pixels)."""
        for die in (*self.dice, *self.hidden):
            die.move_along(matrix)

    def settle(self, lay: Mapping[int, Box], seconds: float) -> None:
        """All is read, each die (by track) where it lay, in sight or not: from here on it counts how far each moves
        from there and whether it rolls."""
        for die in (*self.dice, *(die for die in self.hidden if die.track in lay)):
            die.anchor = centre(lay.get(die.track, die.box))
            die.moved = math.dist(die.anchor, die.centre) / width(die.box)
            die.rolls, die.first_roll, die.away = 0, None, die.away and not die.at_rest(seconds)

    def count_rolls(self, near_a_hand: Near, moving: Sequence[Box], missed: bool = False) -> None:
        """Count the last look's steps, and looks at dice that have not come to rest yet, with something moving there.

        near_a_hand: whether one was over a box (pixels), or so many die widths from it, shortly before so many seconds.
        What moves there is carried, let go, or part of the hand. What appears beside it, or where nothing has moved
        since it left, may have been put down, what appears where it lay was covered (unless seen to have gone from
        there), and what moves slowly there is pushed; where nothing moves only its box has changed, as when a hand
        leaves that hid a part. missed: pictures have just been lost.
        """
        for die in self.dice:
            stirs, now = any(touch(die.box, region) for region in moving), die.trail[-1][0]
            back = die.lay is not None and (die.is_at(die.lay) or _covered(die.lay, die.box))
            comes = not (die.rolls or back or missed) and die.rested is None and stirs
            comes = comes and not near_a_hand(die.box, SAME_PLACE, min(now, die.stirred))
            alone = die.drifted and stirs and not near_a_hand(die.box, ALONE, now)
            if comes or alone or (die.stepped and not near_a_hand(die.box, 0.0, now)):
                die.rolled_on(now)
            die.stepped = die.drifted = False

    def deny(self, die: TrackedDie) -> None:
        """A closer look has shown that it is none."""
        self.dice.remove(die)

    def forget_hidden(self, believed: Collection[int]) -> None:
        """After a throw nothing lies any more where it was hidden, but these tracks."""
        self.hidden = [die for die in self.hidden if die.track in believed]

    def _seen_again(self, die: TrackedDie, box: Box, look: Look, seconds: float) -> None:
        before, side = die.box, width(box)
        followed = die.believed or not die.missed  # else it may have been made up, and this be another one
        die.box = box
        die.found(look.score if look.read else None, look.closely, self.worth)
        far = side * max(STEADY, ROLL_SPEED * (seconds - die.trail[-1][0] if die.trail else 0.0))
        die.stepped = followed and math.dist(centre(before), die.centre) > far and not _covered(before, box)
        die.moved = max(die.moved, math.dist(die.anchor, die.centre) / side)
        place = self._steadied(die)
        nearest_past, farthest_past = (seconds - ago + 1e-6 for ago in DRIFT_SECONDS)
        history = list(zip(die.trail, die.path, strict=True))
        past = [one for one in history if farthest_past <= one[0][0] <= nearest_past]
        # By itself and against the others: a few slow dice may look like a trembling camera.
        die.drifted = (
            bool(past)
            and DRIFT * side < min(math.dist(place, past[0][0][1:]), math.dist(die.centre, centre(past[0][1])))
            and not _covered(past[0][1], box)
        )
        die.path.append(box)
        die.trail.append((seconds, *place))
        recent = [one for one in history[:-2] if one[0][0] >= seconds - REST_SECONDS - 1e-6] + history[-2:]
        limit = side * (STEADY if self._compared else ALONE)
        # What shows its place as it was has not moved, however its box wanders.
        moves = not die.unchanged and any(
            math.dist(place, at[1:]) > limit and not _covered(seen, box) for at, seen in recent
        )
        die.still = 0 if moves else die.still + self.worth
        die.still_since = seconds if moves else min(die.still_since, seconds)
        if die.still >= LIES:
            if die.rested is None or die.lay is None or math.dist(centre(die.lay), die.centre) > SAME_PLACE * side:
                die.rested = seconds
            die.lay = die.box
        if look.read:
            quiet = die.is_quiet(seconds, look.closely and not look.hand)  # a close look beside a hand has not waited
            die.vote(look.chances, fresh=moves, closely=look.closely, quiet=quiet)

    def _missed(self, die: TrackedDie, seconds: float, apart: float, hands: Sequence[Box]) -> None:
        x, y = die.centre
        covered = die.still >= LIES and any(touch((x, y, x, y), hand) for hand in hands)
        if not covered:
            die.not_found(apart)
        if die.lost or covered:
            self.dice.remove(die)
            if die.confirmed and die.lay:
                die.box, die.hidden_since, die.busy_since, die.bare_looks = die.lay, seconds, seconds, 0
                self.hidden.append(die)

    def _came_back(self, die: TrackedDie, box: Box, look: Look, seconds: float) -> None:
        briefly = seconds - (die.hidden_since or 0.0) < REST_SECONDS
        die.hidden_since, die.existence = None, 0.0
        die.misses -= die.missed  # while something covered it: not because it is hard to find
        die.doubt_faces()  # it may have been turned meanwhile, or be another one …
        die.touched = seconds  # … and what covered it may still cover a part
        die.trail.clear()
        die.path.clear()
        die.still, die.still_since, die.moved, die.rested = 0, math.inf, 0.0, None
        self.dice.append(die)
        self._seen_again(die, box, look, seconds)
        die.away = not briefly

    def _born(self, box: Box, look: Look, seconds: float) -> None:
        die = TrackedDie(next(self._numbers), box)
        die.anchor = die.centre
        die.still_since = seconds
        die.found(look.score, look.closely)
        die.trail.append((seconds, *self._steadied(die)))
        die.path.append(box)
        die.vote(look.chances, closely=look.closely, quiet=not look.hand)
        self.dice.append(die)

    def _matched(self, boxes: list[Box]) -> tuple[dict[int, int], dict[int, int]]:
        """Rows of `dice` and rows of `hidden`, each → row of `boxes`.

        Dice seen a look ago come first: one that rolls to where another was hidden is still the one that rolled. Then
        those out of sight, all together: what shows up where one lay is that one, however near another was.
        """
        seen = [row for row, die in enumerate(self.dice) if not die.missed]
        reaches = [SAME_PLACE if self._lies(self.dice[row]) else REACH for row in seen]
        first = greedy_match([self.dice[row].box for row in seen], boxes, reaches)
        left = sorted(set(range(len(boxes))) - set(first.values()))
        gone = [row for row, die in enumerate(self.dice) if die.missed]
        reaches = [SAME_PLACE if self.dice[row].still else REACH for row in gone] + [SAME_PLACE] * len(self.hidden)
        places = [self.dice[row].box for row in gone] + [die.box for die in self.hidden]
        then = greedy_match(places, [boxes[row] for row in left], reaches)
        followed = {seen[old]: new for old, new in first.items()}
        followed |= {gone[old]: left[new] for old, new in then.items() if old < len(gone)}
        return followed, {old - len(gone): left[new] for old, new in then.items() if old >= len(gone)}

    @staticmethod
    def _lies(die: TrackedDie) -> bool:
        """Whether it is not looked for far away. One that has just come back into sight lies where it lay: while a hand
        still covers it now and then, its neighbour must not be taken for it."""
        return die.still >= LIES or (die.lay is not None and die.still > 0)

    def _follow_tremble(self, steps: list[tuple[Box, Box]]) -> None:
        """Take the small motion that all dice have in common for the camera's. One die alone tells nothing about it."""
        self._compared = len(steps) > 1
        if not self._compared:
            return
        before, after = np.array([old for old, _ in steps]), np.array([new for _, new in steps])
        dx, dy = (median(axis) for axis in (middles(after) - middles(before)).T.tolist())
        if math.hypot(dx, dy) <= ALONE * width(steps[0][1]):
            self._tremble = self._tremble[0] + dx, self._tremble[1] + dy

    def _steadied(self, die: TrackedDie) -> tuple[float, float]:
        """Its centre in pixels as a steady camera would have seen it."""
        x, y = die.centre
        return x - self._tremble[0], y - self._tremble[1]


def _covered(before: Box, after: Box) -> bool:
    """Whether only another part of the same die in the same place seems to be seen."""
    moved = math.dist(centre(before), centre(after)) / max(width(before), width(after))
    return corner_moved(before, after) <= min(STEADY, PART * moved)


def _six(chances: npt.NDArray[np.floating]) -> Probabilities:
    a, b, c, d, e, f = chances.tolist()
    return a, b, c, d, e, f
