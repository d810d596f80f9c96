"""Turns tracked dice into a Reading: zones, whether the table is settled, probabilities of a roll, and doubts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision import messages
from vision.boxes import Boxes, grown, touch, width
from vision.messages import Doubt
from vision.table.layout import TableZone
from vision.tracking.constants import (
    ALONE,
    HANDLED_SECONDS,
    MOSTLY,
    RESTING_DICE,
    RESTING_SECONDS,
    SAME_PLACE,
    SMALLEST_DIE,
    STEADY,
    STILL_HELD,
    SURE,
    SURELY,
    VOTES,
)
from vision.tracking.cover import Cover
from vision.tracking.motion import Activity
from vision.tracking.rest_memory import RestMemory
from vision.tracking.stillness import Since, Stillness
from vision.tracking.throws import RestingDie, rolled_together, shifted, throw_chance
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Motion, Reading, SeenDie


@dataclass(frozen=True, slots=True)
class Seen:
    """The input of `Reader.read` for one frame.

    Attributes:
        dice: The dice that the tracker believes to be there, with their zones.
        activity: What moves around them.
        size: (width, height) of the frame.
        looked: Refined passes have covered everything at rest.
    """

    dice: tuple[tuple[TrackedDie, TableZone], ...]
    activity: Activity
    has_kept_zone: bool
    size: tuple[int, int]
    frame: int
    seconds: float
    trouble: str | None = None
    looked: bool = True


class Reader:
    """Turns tracked dice into readings.

    It remembers the last settled table and estimates whether dice were rolled since.

    Args:
        hand_around: For boxes (n, 4), and others (m, 4) to exclude, the share of each box's surroundings that may be a
            hand, (n,); NaN if unknown.
    """

    def __init__(self, tracker: Tracker, hand_around: Callable[[Boxes, Boxes], npt.NDArray[np.float32]]) -> None:
        self.throws = self._thrown = 0.0  # expected number of rolls so far, and its value at the last probable roll
        self._tracker, self._hand_around = tracker, hand_around
        self._settled: tuple[RestingDie, ...] | None = None
        self._settled_at = self._thrown_at = -math.inf  # seconds of the last settled table, and of the last roll
        self._covered: tuple[RestingDie, ...] = ()  # dice that rested until a hand covered them
        self._gone: dict[int, RestingDie] = {}  # by track: dice that have disappeared since the last roll
        self._stirred_near: set[int] = set()
        self._untouched: set[int] = set()  # tracks of the last roll's dice that no hand has been near since
        self._hand_seen = self._vanished = False
        self._hand_at: Box | None = None
        self._cover = Cover()
        self._memory = RestMemory(tracker, self._cover)
        self._most = 0  # largest number of dice since the table was last empty or dice were rolled
        self._fewer: Doubt | None = None
        self._stillness, self._resting = Stillness(tracker), Since()

    def blinked(self, seconds: float) -> None:
        """Notes that frames were lost before this one, so changes in it may have happened unseen."""
        self._cover.blinked(seconds)

    def read(self, seen: Seen) -> Reading:
        """The reading of the newest frame."""
        inside = [(die, place) for die, place in seen.dice if place is not TableZone.OUTSIDE]
        self._note(inside, seen)
        self._note_held([die for die, _ in inside], seen.seconds)
        in_hand = [die for die, _ in inside if die.in_hand(seen.seconds)]
        inside = [(die, place) for die, place in inside if die not in in_hand]
        settled_dice = {die.track: die for die in self._settled or ()}
        known = {die.track: die for die in self._covered} | settled_dice
        before = self._gone | known
        now = tuple(self._lying(die, before.get(die.track), place, seen) for die, place in inside)
        dice = [die for die, _ in inside]
        self._memory.remember(dice, now, seen.seconds)
        now += self._memory.out_of_sight(now, {die.track for die in in_hand}, known, seen.seconds)
        taken = self._memory.taken({die.track for die in now}, settled_dice, self._settled_at, seen.seconds)
        disturbed = self._memory.disturbed(dice, known, seen.seconds)
        now = tuple(disturbed.get(die.track, die) for die in now)
        dice = [*(die for die in dice if die.track not in disturbed), *in_hand]
        reached = self._stillness.reached(dice, now, self._settled, seen.activity, seen.seconds, self._hand_seen, taken)
        if settled := reached and seen.looked:
            now = self._settle(now, seen)
        resting = self._resting(self._hand_stays(seen.activity.hands), seen.seconds) >= RESTING_SECONDS
        followed = {die.track: die for die, _ in inside}
        return Reading(
            dice=tuple(self._seen(die, followed.get(die.track), seen.seconds) for die in now),
            has_kept_zone=seen.has_kept_zone,
            settled=settled,
            throws=self.throws,
            motion=self._motion(settled, dice, seen),
            frame=seen.frame,
            seconds=seen.seconds,
            doubt=self._doubt(now, settled, resting, seen),
            hands=seen.activity.hands,
        )

    def _hand_stays(self, hands: Sequence[Box]) -> bool:
        """Whether the hands have stayed in one place, so that they may rest in the frame."""
        if not hands:
            self._hand_at = None
            return False
        corners = list(zip(*hands, strict=True))
        now = min(corners[0]), min(corners[1]), max(corners[2]), max(corners[3])
        reach = RESTING_DICE * (self._tracker.width or 0.0)
        was, stays = self._hand_at, True
        if was is None or max(abs(a - b) for a, b in zip(was, now, strict=True)) > reach:
            self._hand_at, stays = now, was is None
        return stays

    def _note(self, inside: Sequence[tuple[TrackedDie, TableZone]], seen: Seen) -> None:
        """Notes what has moved since the table last settled."""
        activity = seen.activity
        self._hand_seen = self._hand_seen or bool(activity.hands)
        self._cover.step(activity.hands, seen.size, seen.seconds)
        self._tracker.count_rolls(self._cover.near, activity.moving, self._cover.missed(seen.seconds))
        for die, _ in inside:
            die.touched = max(die.touched, self._cover.last(die.box))
            around = grown(die.box, SAME_PLACE)
            if self._cover.now(around):
                self._stirred_near.add(die.track)
                self._untouched.discard(die.track)
            elif any(touch(around, region) for region in activity.moving):
                self._stirred_near.add(die.track)

    def _note_held(self, dice: Sequence[TrackedDie], seconds: float) -> None:
        """Notes which dice rest in an open hand: it surrounds them, was there before them, and they did not roll there.

        Only parts of the hand are compared, because a motionless palm soon counts as table.
        """
        rolled = {die.track for die in (*(self._settled or ()), *self._covered) if die.rolled > 0.5}
        came = [die for die in dice if self._cover.now(die.box) and self._cover.since(die.box) <= die.still_since]
        came = [die for die in came if not die.rolls and die.track not in rolled]
        if not came:
            return
        shares = self._hand_around(*(np.array([die.box for die in some], np.float32) for some in (came, dice)))
        for die, share in zip(came, shares.tolist(), strict=True):
            if share >= (STILL_HELD if die.in_hand(seconds) else MOSTLY):
                die.held = seconds

    def _lying(self, die: TrackedDie, before: RestingDie | None, place: TableZone, seen: Seen) -> RestingDie:
        came, has_kept_zone = before is None or die.moved > SAME_PLACE, seen.has_kept_zone
        since = die.rested if die.still and die.rested is not None else seen.seconds
        lying = RestingDie(
            track=die.track,
            box=die.box,
            probabilities=die.probabilities,
            kept=place is TableZone.KEPT,
            moved=die.moved if before else 0.0,
            beside=math.dist(die.centre, before.centre) / width(die.box) if before else 0.0,
            rolls=die.rolls,
            rested=die.rested,
            first_roll=die.first_roll,
            missed=die.rolls < 2 and self._cover.missed(since),
            handled=came and self._cover.last(die.box, ALONE) >= since - HANDLED_SECONDS,
            away=die.away,
            new=before is None,
            came=before.came if before else self.throws,
            rolled=before.rolled if before else 0.5,
        )
        if before is None:
            # It was there but not visible: nothing has changed where it rests, or a hand has covered it since the last
            # roll.
            unseen = die.stirred < self._settled_at or self._cover.since(die.box) <= self._thrown_at
            return replace(lying, overlooked=bool(self._settled) and unseen)
        if not has_kept_zone and before.kept and not (lying.rolls and lying.rolling >= SURELY):
            lying = replace(lying, kept=True)
        if lying.value != before.value and self._holds(before, lying, die, has_kept_zone):
            return replace(lying, probabilities=before.probabilities)
        return replace(lying, turned=True) if lying.value != before.value else lying

    def _holds(self, before: RestingDie, lying: RestingDie, die: TrackedDie, has_kept_zone: bool) -> bool:
        """Whether the die keeps its settled face although the detector now reads another one.

        A die in the kept zone keeps its face, unless it arrived after the last roll and was never read for sure. A hand
        may have turned a die in play. If nothing moved, more passes must agree before a sure face changes.
        """
        if lying.elsewhere:
            return False
        if has_kept_zone and before.kept and lying.kept and (before.came < self._thrown or before.sure):
            return True
        touched = die.away or die.track in self._stirred_near or lying.beside > STEADY
        return before.sure and not touched and 2 * len(die.votes) <= VOTES

    def _settle(self, now: tuple[RestingDie, ...], seen: Seen) -> tuple[RestingDie, ...]:
        """Compares the dice with the last settled table, estimates the probability of a roll, and replaces that
        table."""
        before = self._settled or ()
        present = {die.track for die in now}
        gone = [die for die in before if die.track not in present]
        aside = seen.has_kept_zone and any(die.kept and die.came >= self._thrown for die in before)
        chance = throw_chance(before, now, self._hand_seen, seen.has_kept_zone, ready=aside)
        self.throws = round(self.throws + chance, 3)
        thrown = chance > 0.5
        came = rolled_together([die for die in now if die.came_now], seen.has_kept_zone) if thrown else {}
        if thrown:
            self._thrown, self._thrown_at = self.throws, seen.seconds
            self._tracker.forget_hidden({die.track for die in now if die.hidden})
            self._covered, self._gone, gone, self._vanished = (), {}, [], False
            self._untouched = {die.track for die in now}
            rolled = {track for track, chance in came.items() if chance > 0.5} or {*came}
            if not seen.has_kept_zone:
                now = tuple(replace(die, kept=die.track not in rolled) for die in now)
            fewer = any(die.kept for die in now) and len(now) < self._most
            said = messages.ONE_LEFT if len(now) == 1 else messages.FEWER
            self._fewer = Doubt(said, seen=len(now), before=self._most) if fewer else None
            self._most = len(now)
        elif same := shifted(before, now):
            earlier = {die.track: die for die in before}
            now = tuple(die.shifted(earlier[same[die.track]], seen.has_kept_zone) for die in now)
        elif gone and len(now) < len(before) and not self._hand_seen:
            self._vanished = True
        elif len(now) > len(before) or not now:
            self._vanished, self._fewer = False, None
        self._most = max(self._most, len(now)) if now else 0
        now = tuple(
            replace(die, came=self.throws, rolled=came.get(die.track, die.rolling)) if die.came_now else die
            for die in now
        )
        # Dice that disappear without a hand in the frame were taken earlier.
        covered = (*self._covered, *gone) if seen.activity.hands else ()
        self._covered = tuple(die for die in covered if die.track not in present)
        self._gone |= {die.track: die for die in gone}
        self._settled, self._settled_at = now, seen.seconds
        self._memory.settled(now)
        self._tracker.settle({die.track: die.box for die in now}, seen.seconds)
        self._stirred_near.clear()
        self._hand_seen = bool(seen.activity.hands)
        return now

    def _motion(self, settled: bool, dice: Sequence[TrackedDie], seen: Seen) -> Motion:
        if seen.activity.hands:
            return Motion.HAND
        if settled:
            return Motion.STABLE if dice else Motion.EMPTY
        still = all(die.at_rest(seen.seconds) for die in dice)
        stirring = self._stillness.stirring([die.box for die in dice], seen.activity)
        return Motion.SETTLING if still and not stirring else Motion.MOVING

    def _seen(self, die: RestingDie, followed: TrackedDie | None, seconds: float) -> SeenDie:
        """The die as part of a reading. followed: the tracked die; None if it is out of sight."""
        if followed is None:
            hidden = next(one for one in self._tracker.hidden if one.track == die.track)
            there, rests = hidden.fading(seconds), True
        else:
            there, rests = 1 / (1 + math.exp(-followed.existence)), followed.at_rest(seconds)
        return SeenDie(
            track=die.track,
            xyxy=die.box,
            probabilities=die.probabilities,
            kept=die.kept,
            came=die.came,
            rolled=round(die.rolled, 3),
            touched=die.track not in self._untouched,
            there=round(there, 3),
            rests=rests,
            hidden=die.hidden,
            handled=round(die.by_hand, 3),
        )

    def _doubt(self, now: Iterable[RestingDie], settled: bool, resting: bool, seen: Seen) -> Doubt | None:
        """The most important doubt, or None. Doubts about dice are reported once the table is settled."""
        if seen.trouble:
            return Doubt(seen.trouble)
        followed = {die.track: die for die, _ in seen.dice}
        if settled:
            for die in now:
                shows = followed[die.track].value if die.track in followed else die.value
                if seen.has_kept_zone and die.kept and shows != die.value:
                    return Doubt(messages.KEPT_CHANGED, before=die.value, after=shows)
            if self._fewer or self._vanished:
                return self._fewer or Doubt(messages.VANISHED)
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
