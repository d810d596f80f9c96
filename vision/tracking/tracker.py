"""Tracking by detection: dice keep their identity from pass to pass."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from vision.boxes import Matrix, centre, corner_moved, middles, touch, width
from vision.dice.detections import Detections, boxes_of, chosen
from vision.tracking.association import covering_more, greedy_match, of_one_size, without_duplicates
from vision.tracking.constants import (
    CONFIRMING_PASSES,
    CROWDED,
    DRIFT,
    DRIFT_SECONDS,
    PART,
    REACH,
    REMEMBERED_SECONDS,
    REST_SECONDS,
    RESTING_PASSES,
    ROLL_SPEED,
    SAME_PLACE,
    STEADY,
    STEADY_SINGLE,
)
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.votes import Probabilities, pass_weight
from vision.types import Box


@dataclass(frozen=True, slots=True)
class PassResult:
    """What one pass says about one die.

    Attributes:
        chances: Probabilities of its six faces.
        score: Probability that it is a die.
        refined: The pass is refined.
        read: The die was read, not carried over as unchanged.
        hand: A hand was in the frame.
    """

    chances: Probabilities
    score: float = 1.0
    refined: bool = False
    read: bool = True
    hand: bool = False


Near = Callable[[Box, float, float], bool]
Point = tuple[float, float]


class Tracker:
    """Tracks dice over passes: `dice` seen now or a moment ago, and `hidden` ones remembered in their places."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._compared = False  # whether the last pass saw enough dice to measure jitter
        self._jitter = (0.0, 0.0)  # camera jitter so far, pixels
        self._last_pass = math.inf  # seconds of the last pass
        self._intervals: deque[float] = deque(maxlen=CONFIRMING_PASSES)  # seconds between the last passes, newest last
        self.dice: list[TrackedDie] = []
        self.hidden: list[TrackedDie] = []

    @property
    def width(self) -> float | None:
        """Median width of a die in pixels; None before any was seen."""
        boxes = [die.box for die in self.dice if die.believed] or [die.box for die in self.hidden]
        return median(map(width, boxes)) if boxes else None

    @property
    def pass_weight(self) -> float:
        """Weight of the latest pass in fast-camera passes, see `votes.pass_weight`."""
        return pass_weight(min(self._intervals, default=0.0))

    def update(self, detections: Detections, seconds: float, hands: Sequence[Box] = ()) -> list[TrackedDie]:
        """Associates the detections of the next pass with the dice. Returns the dice believed to be there.

        Args:
            hands: Boxes that hands cover now (pixels). A die that rested there becomes hidden, not gone.
        """
        interval, self._last_pass = max(0.0, seconds - self._last_pass), seconds
        self._intervals.append(interval)
        detections = self.single(detections)
        rows = without_duplicates(detections)
        boxes: list[Box] = [tuple(map(float, detections.xyxy[row])) for row in rows]  # type: ignore[misc]
        scores, counts, hand = detections.scores.tolist(), detections.passes.tolist(), bool(hands)
        results = [
            PassResult(_six(detections.probabilities[row]), scores[row], counts[row] > 1, counts[row] > 0, hand)
            for row in rows
        ]
        followed, back = self._matched(boxes)
        # A refined pass uses another network, so its boxes do not show camera motion.
        fast = [(old, new) for old, new in followed.items() if not results[new].refined]
        self._follow_jitter([(self.dice[old].box, boxes[new]) for old, new in fast])
        missed = [die for old, die in enumerate(self.dice) if old not in followed]
        for old, new in followed.items():
            self._seen_again(self.dice[old], boxes[new], results[new], seconds)
        for die in missed:
            self._missed(die, seconds, interval, hands)
        for old, new in back.items():
            self._reappeared(self.hidden[old], boxes[new], results[new], seconds)
        self.hidden = [die for die in self.hidden if die.hidden_since is not None]
        for die in self.hidden:
            was_resting = die.last_motion < seconds - interval - REST_SECONDS and die.hidden_since != seconds
            die.busy_since += interval if was_resting else 0.0
        matched = {*followed.values(), *back.values()}
        for new in range(len(rows)):
            if new not in matched:
                self._add_new(boxes[new], results[new], seconds)
        self.hidden = [die for die in self.hidden if seconds - (die.hidden_since or 0.0) < REMEMBERED_SECONDS]
        return [die for die in self.dice if die.believed]

    def single(self, detections: Detections) -> Detections:
        """Detections of the size of the dice, without those that cover more than one of the believed dice."""
        found = self.of_one_size(detections)
        return chosen(found, ~covering_more(found, [die.box for die in self.dice if die.believed]))

    def of_one_size(self, detections: Detections) -> Detections:
        """Detections without those that are far narrower or wider than the dice."""
        known = [die.box for die in (*self.dice, *self.hidden) if die.confirmed]
        return chosen(detections, of_one_size(detections, known))

    def missing(self, detections: Detections, unsearched: Collection[TrackedDie] = ()) -> list[TrackedDie]:
        """Resting dice that these detections do not include.

        Args:
            unsearched: Dice whose places the pass did not search.
        """
        boxes = boxes_of(detections)
        seen = greedy_match([die.box for die in self.dice], boxes, SAME_PLACE)
        resting = [
            die.still or die.hits == 1 or die.believed or (die in unsearched and not die.missed) for die in self.dice
        ]
        missed = [die for row, die in enumerate(self.dice) if row not in seen and resting[row]]
        # If another die came to rest beside this one, a crop at the old place shows a part of the new die.
        crowded = greedy_match([die.box for die in missed], boxes, CROWDED)
        return [die for row, die in enumerate(missed) if row not in crowded]

    def shift(self, matrix: Matrix) -> None:
        """Moves every remembered place with the frame (3×3, old pixels → new pixels) after the camera was knocked."""
        for die in (*self.dice, *self.hidden):
            die.move_along(matrix)

    def settle(self, places: Mapping[int, Box], seconds: float) -> None:
        """Notes that a settled reading has been made: motion and rolls count from now on. places: the box of each die,
        by track."""
        for die in (*self.dice, *(die for die in self.hidden if die.track in places)):
            die.anchor = centre(places.get(die.track, die.box))
            die.moved = math.dist(die.anchor, die.centre) / width(die.box)
            die.rolling_passes, die.was_hidden = 0, die.was_hidden and not die.at_rest(seconds)

    def count_rolls(self, near_a_hand: Near, moving: Sequence[Box], missed: bool = False) -> None:
        """Counts the rolls seen by the last pass: steps of dice that no hand moved.

        Args:
            near_a_hand: Whether a hand was over a box (pixels), grown by die widths, shortly before a time. It carries
                or pushes what moves there, and may have put down or uncovered what appears there.
            moving: Regions that move. A die outside them has not moved; only its box has changed.
            missed: Frames have just been lost.
        """
        for die in self.dice:
            moves, now = any(touch(die.box, region) for region in moving), die.path[-1][0]
            back = die.rest_box is not None and (die.is_at(die.rest_box) or _covered(die.rest_box, die.box))
            appears = not (die.rolling_passes or back or missed) and die.rested is None and moves
            appears = appears and not near_a_hand(die.box, SAME_PLACE, min(now, die.last_motion))
            drifts = die.drifted and moves and not near_a_hand(die.box, STEADY_SINGLE, now)
            if appears or drifts or (die.stepped and not near_a_hand(die.box, 0.0, now)):
                die.note_roll()
            die.stepped = die.drifted = False

    def reject(self, die: TrackedDie) -> None:
        """Removes a die that turned out to be something else."""
        self.dice.remove(die)

    def forget_hidden(self, believed: Collection[int]) -> None:
        """Forgets hidden dice after a roll, except these tracks: no other die rests out of sight then."""
        self.hidden = [die for die in self.hidden if die.track in believed]

    def _seen_again(self, die: TrackedDie, box: Box, result: PassResult, seconds: float) -> None:
        before, side = die.box, width(box)
        # Otherwise the new box may be another die and the old one a false detection.
        followed = die.believed or not die.missed
        die.box = box
        die.found(result.score if result.read else None, result.refined, self.pass_weight)
        far = side * max(STEADY, ROLL_SPEED * (seconds - die.path[-1][0] if die.path else 0.0))
        die.stepped = followed and math.dist(centre(before), die.centre) > far and not _covered(before, box)
        die.moved = max(die.moved, math.dist(die.anchor, die.centre) / side)
        nearest_past, farthest_past = (seconds - ago + 1e-6 for ago in DRIFT_SECONDS)
        history, place = [*die.path], self._without_jitter(die)
        past = [one for one in history if farthest_past <= one[0] <= nearest_past]
        # Absolute motion and motion relative to the others, because a few slow dice may look like jitter.
        absolute = bool(past) and math.dist(die.centre, centre(past[0][1])) > DRIFT * side
        die.drifted = absolute and _elsewhere(past[0], box, place, DRIFT)
        die.path.append((seconds, box, place))
        recent = [one for one in history[:-2] if one[0] >= seconds - REST_SECONDS - 1e-6] + history[-2:]
        # A die in an unchanged place has not moved, however its box jitters.
        limit = STEADY if self._compared else STEADY_SINGLE
        moves = not die.unchanged and any(_elsewhere(one, box, place, limit) for one in recent)
        die.still = 0 if moves else die.still + self.pass_weight
        die.still_since = seconds if moves else min(die.still_since, seconds)
        if die.still >= RESTING_PASSES:
            if (
                die.rested is None
                or die.rest_box is None
                or math.dist(centre(die.rest_box), die.centre) > SAME_PLACE * side
            ):
                die.rested = seconds
            die.rest_box = die.box
        if result.read:
            # A refined pass beside a hand ran without waiting for quiet.
            quiet = die.without_motion(seconds, result.refined and not result.hand)
            die.vote(result.chances, fresh=moves, refined=result.refined, quiet=quiet)

    def _missed(self, die: TrackedDie, seconds: float, interval: float, hands: Sequence[Box]) -> None:
        x, y = die.centre
        covered = die.still >= RESTING_PASSES and any(touch((x, y, x, y), hand) for hand in hands)
        if not covered:
            die.not_found(interval)
        if die.lost or covered:
            self.dice.remove(die)
            if die.confirmed and die.rest_box:
                die.box, die.hidden_since, die.busy_since, die.empty_passes = die.rest_box, seconds, seconds, 0
                self.hidden.append(die)

    def _reappeared(self, die: TrackedDie, box: Box, result: PassResult, seconds: float) -> None:
        briefly = seconds - (die.hidden_since or 0.0) < REST_SECONDS
        die.hidden_since, die.existence = None, 0.0
        die.doubt_faces()  # a hand may have turned or replaced it
        die.touched = seconds  # the hand may still cover a part of it
        die.path.clear()
        die.still, die.still_since, die.moved, die.rested = 0, math.inf, 0.0, None
        self.dice.append(die)
        self._seen_again(die, box, result, seconds)
        die.was_hidden = not briefly

    def _add_new(self, box: Box, result: PassResult, seconds: float) -> None:
        die = TrackedDie(next(self._numbers), box)
        die.anchor = die.centre
        die.still_since = seconds
        die.found(result.score, result.refined)
        die.path.append((seconds, box, self._without_jitter(die)))
        die.vote(result.chances, refined=result.refined, quiet=not result.hand)
        self.dice.append(die)

    def _matched(self, boxes: list[Box]) -> tuple[dict[int, int], dict[int, int]]:
        """Matches `dice` and `hidden` to `boxes`; two dictionaries of rows.

        Dice seen in the last pass come first, because a die that rolls over the place of a hidden one keeps its
        identity. A detection at the place of a die out of sight is that die, even if another die was closer.
        """
        seen = [row for row, die in enumerate(self.dice) if not die.missed]
        reaches = [SAME_PLACE if self._rests(self.dice[row]) else REACH for row in seen]
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
    def _rests(die: TrackedDie) -> bool:
        """Whether the die is searched near its place only. A die that has just reappeared is, so that its neighbour is
        not taken for it while a hand covers it now and then."""
        return die.still >= RESTING_PASSES or (die.rest_box is not None and die.still > 0)

    def _follow_jitter(self, steps: list[tuple[Box, Box]]) -> None:
        """Adds the small motion common to all dice to the camera jitter. A single die says nothing about it."""
        self._compared = len(steps) > 1
        if self._compared:
            before, after = np.array([old for old, _ in steps]), np.array([new for _, new in steps])
            dx, dy = (median(axis) for axis in (middles(after) - middles(before)).T.tolist())
            if math.hypot(dx, dy) <= STEADY_SINGLE * width(steps[0][1]):
                self._jitter = self._jitter[0] + dx, self._jitter[1] + dy

    def _without_jitter(self, die: TrackedDie) -> tuple[float, float]:
        """The centre of the die without camera jitter, pixels."""
        x, y = die.centre
        return x - self._jitter[0], y - self._jitter[1]


def _elsewhere(before: tuple[float, Box, Point], box: Box, place: Point, limit: float) -> bool:
    """Whether a die has moved by more than `limit` die widths since an entry of its `path`."""
    _, was, there = before
    return math.dist(there, place) > limit * width(box) and not _covered(was, box)


def _covered(before: Box, after: Box) -> bool:
    """Whether the new box may show another part of the same die, which has not moved."""
    moved = math.dist(centre(before), centre(after)) / max(width(before), width(after))
    return corner_moved(before, after) <= min(STEADY, PART * moved)


def _six(chances: npt.NDArray[np.floating]) -> Probabilities:
    a, b, c, d, e, f = chances.tolist()
    return a, b, c, d, e, f
