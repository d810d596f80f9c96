"""Turns tracked dice into a Reading: zones, whether the table is settled, which dice rolled, and doubts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision import messages
from vision.boxes import Boxes, centre, width
from vision.messages import Doubt
from vision.table.layout import TableZone
from vision.tracking.constants import (
    HANDLED_SECONDS,
    MOSTLY,
    REACH,
    RESTING_SECONDS,
    ROLLED,
    ROLLED_UNSEEN,
    SAME_PLACE,
    SMALLEST_DIE,
    STEADY,
    STEADY_SINGLE,
    SURE,
    SURE_CHANGE,
)
from vision.tracking.cover import Cover
from vision.tracking.motion import Activity
from vision.tracking.moved_picture import moved_with_picture
from vision.tracking.rest_memory import RestMemory
from vision.tracking.stillness import Since, Stillness
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Motion, Reading, SeenDie


@dataclass(frozen=True, slots=True)
class ReaderInput:
    """The input of `Reader.read` for one frame.

    Attributes:
        dice: The dice that the tracker believes to be there, with their zones.
        activity: What moves around them.
        size: (width, height) of the frame.
        all_refined: Refined passes have covered everything at rest.
    """

    dice: tuple[tuple[TrackedDie, TableZone], ...]
    activity: Activity
    has_kept_zone: bool
    size: tuple[int, int]
    frame: int
    seconds: float
    trouble: str | None = None
    all_refined: bool = True


class Reader:
    """Turns tracked dice into readings.

    It compares the dice with those of the last settled table: which are new, and how likely each of them rolled.

    Args:
        hand_around: For boxes (n, 4), and others (m, 4) to exclude, the share of each box's surroundings that may be a
            hand, (n,); NaN if unknown.
    """

    def __init__(self, tracker: Tracker, hand_around: Callable[[Boxes, Boxes], npt.NDArray[np.float32]]) -> None:
        self.rolls = 0.0  # expected number of rolls so far
        self._tracker, self._hand_around = tracker, hand_around
        self._settled_at = self._rolled_at = -math.inf  # seconds when the table last settled, and after a roll
        self._hand_seen = self._vanished = False
        self._hand_box: Box | None = None
        self._cover = Cover()
        self._memory = RestMemory(tracker, self._cover)
        self._most_dice = 0  # largest number of dice since the table was last empty or dice were rolled
        self._fewer_doubt: Doubt | None = None
        self._stillness, self._resting = Stillness(tracker), Since()

    def blinked(self, seconds: float) -> None:
        """Notes that frames were lost before this one, so changes in it may have happened unseen."""
        self._cover.blinked(seconds)

    def read(self, seen: ReaderInput) -> Reading:
        """The reading of the newest frame."""
        inside = [(die, place) for die, place in seen.dice if place is not TableZone.OUTSIDE]
        self._note([die for die, _ in inside], seen)
        in_hand = [die for die, _ in inside if die.in_hand(seen.seconds)]
        inside = [(die, place) for die, place in inside if die not in in_hand]
        dice = [die for die, _ in inside]
        now = tuple(self._seen_die(die, place, seen) for die, place in inside)
        self._memory.remember(dice, now, seen.seconds)
        now += self._memory.out_of_sight(now, {die.track for die in in_hand}, seen.seconds)
        dice += in_hand
        before = None if self._memory.settled is None else len(self._memory.settled)
        settled = self._stillness.table_settled(
            dice, now, before, seen.activity, seen.seconds, self._hand_seen, self._memory.number_taken(seen.seconds)
        )
        settled = settled and seen.all_refined
        if settled:
            now = self._settle(now, seen)
        resting = self._resting(self._hand_stays(seen.activity.hands), seen.seconds) >= RESTING_SECONDS
        return Reading(
            dice=now,
            has_kept_zone=seen.has_kept_zone,
            settled=settled,
            rolls=self.rolls,
            motion=self._motion(settled, dice, seen),
            frame=seen.frame,
            seconds=seen.seconds,
            doubt=self._doubt(now, settled, resting, seen),
            hands=seen.activity.hands,
        )

    def _hand_stays(self, hands: Sequence[Box]) -> bool:
        """Whether the hands have stayed in one place, so that they may rest in the frame."""
        if not hands:
            self._hand_box = None
            return False
        corners = list(zip(*hands, strict=True))
        now = min(corners[0]), min(corners[1]), max(corners[2]), max(corners[3])
        reach = REACH * (self._tracker.width or 0.0)
        was, stays = self._hand_box, True
        if was is None or max(abs(a - b) for a, b in zip(was, now, strict=True)) > reach:
            self._hand_box, stays = now, was is None
        return stays

    def _note(self, dice: Sequence[TrackedDie], seen: ReaderInput) -> None:
        """Notes what has moved, what hands cover, and which dice rest in an open hand."""
        activity = seen.activity
        self._hand_seen = self._hand_seen or bool(activity.hands)
        self._cover.step(activity.hands, seen.size, seen.seconds)
        self._tracker.count_rolls(self._cover.near, activity.moving, self._cover.missed(seen.seconds))
        for die in dice:
            die.touched = max(die.touched, self._cover.last(die.box))
        self._note_in_hand(dice, seen.seconds)

    def _note_in_hand(self, dice: Sequence[TrackedDie], seconds: float) -> None:
        """Notes which dice rest in an open hand: it surrounds them, was there before them, and they did not roll there.

        Only parts of the hand are compared, because a motionless palm soon counts as table.
        """
        rolled = {track for track, die in (self._memory.settled or {}).items() if die.rolled > 0.5}
        covered = [die for die in dice if self._cover.now(die.box) and self._cover.since(die.box) <= die.still_since]
        carried = [die for die in covered if not die.rolling_passes and die.track not in rolled]
        if not carried:
            return
        shares = self._hand_around(*(np.array([die.box for die in some], np.float32) for some in (carried, dice)))
        for die, share in zip(carried, shares.tolist(), strict=True):
            if share >= MOSTLY:
                die.last_in_hand = seconds

    def _seen_die(self, die: TrackedDie, place: TableZone, seen: ReaderInput) -> SeenDie:
        """The die, compared with the last settled table."""
        before, aside, probabilities = self._memory.known(die.track), place is TableZone.KEPT, die.probabilities
        since = die.rested if die.still and die.rested is not None else seen.seconds
        rolled, arrived_by = self._arrival(die, before, since)
        if before is not None and before.kept:
            untouched = die.moved <= SAME_PLACE and not die.was_hidden and before.confidence >= SURE_CHANGE
            if not seen.has_kept_zone:
                aside = not (die.rolling_passes and rolled >= SURE_CHANGE)
            elif aside and untouched and die.value != before.value:
                probabilities = before.probabilities  # no die turns by itself
        now = SeenDie(
            track=die.track,
            xyxy=die.box,
            probabilities=probabilities,
            kept=aside,
            rested_since=since,
            rolled=rolled,
            there=round(1 / (1 + math.exp(-die.existence)), 3),
            rests=die.at_rest(seen.seconds),
            arrived_by=arrived_by,
        )
        if before is None or _has_come(die, before):
            return now
        return replace(
            now, rested_since=before.rested_since, rolled=before.rolled, arrived_by=before.arrived_by, new=False
        )

    def _arrival(self, die: TrackedDie, before: SeenDie | None, since: float) -> tuple[float, float]:
        """The probability that a die rolled to its place, and `SeenDie.arrived_by`.

        Args:
            before: The die on the last settled table with it.
            since: Seconds when it came to rest.
        """
        elsewhere = before is None or die.moved > SAME_PLACE
        handled = self._cover.last(die.box, STEADY_SINGLE) >= since - HANDLED_SECONDS
        arrived_by = math.inf
        if before is None:
            covered = self._cover.since(die.box) <= self._rolled_at
            arrived_by = min(die.last_motion, self._rolled_at if covered else math.inf)
        overlooked = arrived_by <= self._settled_at
        if die.rolling_passes < 2 and self._cover.missed(since):
            return 0.5, arrived_by  # frames were lost just before it arrived
        if before is not None and not die.was_hidden and die.moved <= REACH and die.value == before.value:
            return ROLLED[0], math.inf  # a visible die that rolls that far shows other faces
        unseen = ROLLED_UNSEEN if elsewhere and not (handled or overlooked) else 0.0
        return max(ROLLED[min(die.rolling_passes, len(ROLLED) - 1)], unseen), arrived_by

    def _settle(self, now: tuple[SeenDie, ...], seen: ReaderInput) -> tuple[SeenDie, ...]:
        """Compares the dice with the last settled table, and replaces that table."""
        before = tuple((self._memory.settled or {}).values())
        tracks = {die.track for die in now}
        gone = [die for die in before if die.track not in tracks]
        rolled = {die.track: die.rolled for die in now if die.new and not die.kept and die.rolled > 0.5}
        if same := moved_with_picture(before, now):
            earlier = {die.track: die for die in before}
            now = tuple(_moved_with_frame(die, earlier[same[die.track]], seen.has_kept_zone) for die in now)
            rolled = {}
        self.rolls = round(self.rolls + 1 - math.prod(1 - chance for chance in rolled.values()), 3)
        if rolled:
            self._rolled_at = seen.seconds
            self._tracker.forget_hidden({die.track for die in now if die.hidden})
            if not seen.has_kept_zone:
                now = tuple(replace(die, kept=die.track not in rolled) for die in now)
            fewer = any(die.kept for die in now) and len(now) < self._most_dice
            said = messages.ONE_LEFT if len(now) == 1 else messages.FEWER
            self._fewer_doubt = Doubt(said, seen=len(now), before=self._most_dice) if fewer else None
            self._most_dice, self._vanished = len(now), False
        elif not same and gone and len(now) < len(before) and not self._hand_seen:
            self._vanished = True
        elif len(now) > len(before) or not now:
            self._vanished, self._fewer_doubt = False, None
        self._most_dice = max(self._most_dice, len(now)) if now else 0
        self._settled_at = seen.seconds
        self._memory.settle(now, seen.seconds, bool(rolled))
        self._tracker.settle({die.track: die.xyxy for die in now}, seen.seconds)
        self._hand_seen = bool(seen.activity.hands)
        return now

    def _motion(self, settled: bool, dice: Sequence[TrackedDie], seen: ReaderInput) -> Motion:
        if seen.activity.hands:
            return Motion.HAND
        if settled:
            return Motion.STABLE if dice else Motion.EMPTY
        still = all(die.at_rest(seen.seconds) for die in dice)
        moving = self._stillness.unexplained_motion([die.box for die in dice], seen.activity)
        return Motion.SETTLING if still and not moving else Motion.MOVING

    def _doubt(self, now: Iterable[SeenDie], settled: bool, resting: bool, seen: ReaderInput) -> Doubt | None:
        """The most important doubt, or None. Doubts about dice are reported once the table is settled."""
        if seen.trouble:
            return Doubt(seen.trouble)
        followed = {die.track: die for die, _ in seen.dice}
        if settled:
            for die in now:
                shows = followed[die.track].value if die.track in followed else die.value
                if seen.has_kept_zone and die.kept and shows != die.value:
                    return Doubt(messages.KEPT_CHANGED, before=die.value, after=shows)
            if self._fewer_doubt or self._vanished:
                return self._fewer_doubt or Doubt(messages.VANISHED)
        if resting:
            return Doubt(messages.HAND)
        if not settled:
            return None
        if (side := self._tracker.width) is not None and side < SMALLEST_DIE:
            return Doubt(messages.SMALL, pixels=round(side))
        if any(max(die.probabilities) < SURE for die in now):
            return Doubt(messages.LEANING)
        outside = any(place is TableZone.OUTSIDE for _, place in seen.dice)
        return Doubt(messages.OUTSIDE) if outside else None


def _moved_with_frame(die: SeenDie, was: SeenDie, has_kept_zone: bool) -> SeenDie:
    """The die if only the whole frame has moved."""
    return replace(
        die, kept=die.kept if has_kept_zone else was.kept, rested_since=was.rested_since, rolled=was.rolled, new=False
    )


def _has_come(die: TrackedDie, before: SeenDie) -> bool:
    """Whether a die has come to its place since the last settled table: it was elsewhere, or was out of sight and
    turned or rolled meanwhile."""
    beside = math.dist(die.centre, centre(before.xyxy)) / width(die.box)
    back = die.rolling_passes > 1 or die.value != before.value or (die.rolling_passes == 1 and beside > STEADY)
    return die.moved > SAME_PLACE or (die.was_hidden and back)
