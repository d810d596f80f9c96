"""Turns readings into stays of single dice and snapshots of the table (see `stays`)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from companion.game.referee.distances import SAME_SPOT, SAME_STAY, covers, distance, own_shift
from companion.game.referee.priors import PRIORS
from companion.game.referee.same_die import (
    HANDLED,
    as_it_rested,
    is_same_stay,
    near,
    rests_there,
    same_spot,
    seen_empty,
)
from companion.game.referee.stays import Sighting, Snapshot, Stay
from vision.boxes import touch
from vision.tracking.constants import BLINK_SECONDS
from vision.types import Box, Reading, SeenDie

MAX_RECENT = 90  # readings kept to look back on
REMEMBERED_SECONDS = 5.0  # a place where a die rested is remembered for this long between two snapshots
MAX_GONE = 12  # places remembered
BRIEF_REST_SECONDS = 0.15  # a die that rests this long did not just pass by
NOTICED_SECONDS = 0.24  # a die is seen this soon after a hand has left; counted: 99 % of 8,392 within 0.17 s
LATE_SECONDS = 1.0  # readings may show the old face for this long after a hand has turned a die


class Observer:
    """Turns readings into stays and snapshots."""

    def __init__(self) -> None:
        self._count = 0
        self._gone: list[Sighting] = []  # sightings of stays that are out of sight
        self._unseen: dict[int, float] = {}  # by track: when it was last out of sight
        self._touched: dict[int, float] = {}  # by track: when a hand last touched it
        self._seconds = -math.inf  # of the last reading
        self._resting: dict[
            int, tuple[SeenDie, float, Reading]
        ] = {}  # by track: a resting die, since when, last reading
        self._departed: list[tuple[SeenDie, float, Reading]] = []  # the same for dice that have moved or gone since
        self._recent: deque[tuple[float, Reading]] = deque(maxlen=MAX_RECENT)
        self.snapshot: Snapshot | None = None

    def watch(self, reading: Reading) -> None:
        """Processes a reading, settled or not: which dice are out of sight and which rest. Each reading counts once."""
        if self._recent and self._recent[-1][1] is reading:
            return
        out = {track for track, (die, *_) in self._resting.items() if covers(reading.hands, die.xyxy)}
        out |= set() if self.snapshot is None else {sighting.stay.track for sighting in self.snapshot.sightings}
        out -= {die.track for die in reading.dice if not die.hidden}
        out |= {die.track for die in reading.dice if die.hidden}
        gap, self._seconds = reading.seconds - self._seconds, reading.seconds
        if BLINK_SECONDS < gap < math.inf:
            out |= {*self._resting, *(die.track for die in reading.dice)}
        self._unseen |= dict.fromkeys(out, reading.seconds)
        at = (die.track for die in reading.dice if any(touch(die.xyxy, hand) for hand in reading.hands))
        self._touched |= dict.fromkeys(at, reading.seconds)
        self._recent.append((reading.seconds, reading))
        for die in reading.dice:
            if die.hidden:
                continue
            self._seen_on(die, reading)
            was, began, last_seen = self._resting.get(die.track, (die, reading.seconds, reading))
            if not rests_there(was, die):
                self._departed += [(was, began, last_seen)] if last_seen.seconds - began >= BRIEF_REST_SECONDS else []
                was, began, last_seen = die, reading.seconds, reading
            sure = die.rests and die.confidence >= PRIORS.confident
            self._resting[die.track] = was, began, reading if sure else last_seen

    def _seen_on(self, die: SeenDie, reading: Reading) -> None:
        """Notes that a die of the last snapshot is still seen in its place. If it was never out of sight, it shows the
        same face."""
        old = () if self.snapshot is None else self.snapshot.sightings
        was = next((sighting.stay for sighting in old if sighting.stay.track == die.track), None)
        if was is None or self.snapshot is None or not near(was.box, die):
            return
        if die.rests and die.value == was.value and distance(was.box, die.xyxy) < SAME_SPOT:
            was.last_seen = reading.seconds
        seen, touched = (times.get(die.track, -math.inf) for times in (self._unseen, self._touched))
        may_lag = reading.seconds - touched < LATE_SECONDS and (
            was.rolled < HANDLED or was.seconds < self.snapshot.seconds
        )
        in_sight = max(seen, touched) < self.snapshot.seconds and not may_lag
        if die.rests and in_sight and was.value != die.value and was.tips(reading.seconds) and not reading.settled:
            was.read(die.probabilities)

    def brief_rests(self, reading: Reading, over: bool = False) -> Iterator[Reading]:
        """Readings of dice that rested briefly before this settled reading and are gone since, in order of time. The
        caller makes a snapshot of each.

        Args:
            over: No reading will be settled any more, so dice that rest in this one count too.
        """
        self.watch(reading)
        old = () if self.snapshot is None else self.snapshot.sightings
        now = replace(reading, dice=()) if over else reading
        shown: tuple[SeenDie, ...] = ()
        for die, began, last in sorted((*self._departed, *self._resting.values()), key=lambda one: one[2].seconds):
            gone = self._unseen.get(die.track, -math.inf) > began or (over and last is reading)
            known = any(rests_there(die, one) for one in (*now.dice, *shown))
            briefly = last.seconds - began >= BRIEF_REST_SECONDS and gone and not known
            if briefly and not any(e.stay.value == die.value and near(e.stay.box, die) for e in old):
                shown = tuple(before for one in last.dice if (before := as_it_rested(one, now)).rests)
                yield replace(last, dice=shown)
        self._departed.clear()
        there = {die.track for die in reading.dice}
        self._resting = {track: one for track, one in self._resting.items() if track in there}
        there |= {sighting.stay.track for sighting in old}
        for times in (self._unseen, self._touched):
            for track in times.keys() - there:
                del times[track]

    def see(self, reading: Reading) -> Snapshot:
        """The snapshot of a reading that `watch` has processed. The property `snapshot` keeps the one before until the
        caller sets it."""
        before = self.snapshot
        old = {} if before is None else {sighting.stay.track: sighting for sighting in before.sightings}
        there = {die.track for die in reading.dice}
        lost = [sighting for track, sighting in old.items() if track not in there]
        if old and before is not None and reading.seconds - before.seconds < REMEMBERED_SECONDS:
            lost += [one for one in self._gone if one.stay.track not in there]
        hidden = {one.stay.track: one for one in self._gone}  # a die that reappears with its old track is the same one
        sightings, moves = [], dict[int, tuple[Box, Box]]()
        for die in reading.dice:
            was = old.get(die.track, hidden.get(die.track))
            unseen = self._unseen.get(die.track, -math.inf)
            covered = before is None or die.track not in old or unseen >= before.seconds
            touched = max(unseen, self._touched.get(die.track, -math.inf))
            in_sight = not covered and reading.seconds - touched >= LATE_SECONDS
            if was is None or not (
                (
                    in_sight
                    and near(was.stay.box, die)
                    and (was.stay.value == die.value or was.stay.tips(reading.seconds))
                )
                or is_same_stay(was.stay, die, covered, before is not None and touched >= before.seconds)
            ):
                found = next((one for one in lost if same_spot(one.stay, die)), None)
                if found is None or (was is not None and was.stay is found.stay):
                    sightings.append(self._new(die, was, reading.seconds))
                    continue
                lost.remove(found)
                was = found  # the track was lost and is seen again in its place
                was.stay.track = die.track
            last = was.stay.box
            was.stay.read(die.probabilities)
            still = die.there if die.hidden else 1.0
            sightings.append(Sighting(was.stay, die.kept, covered, 0.0, there=still))
            moves[was.stay.number] = last, die.xyxy
            was.stay.box = die.xyxy
        sightings = [
            replace(e, shift=own_shift(e.stay.number, moves)) if e.stay.number in moves else e for e in sightings
        ]
        self._gone = lost[:MAX_GONE]
        hand = bool(reading.hands)
        return Snapshot(tuple(sightings), reading.seconds, reading.has_kept_zone, hand, reading.settled)

    def _new(self, die: SeenDie, was: Sighting | None, seconds: float) -> Sighting:
        self._count += 1
        moved = was is not None and was.stay.rested_since == die.rested_since  # vision saw no new arrival
        turned = moved and was is not None and distance(was.stay.box, die.xyxy) < SAME_STAY
        began, last_empty = self._since(die, seconds)
        rolled = min(die.rolled, 0.5) if moved else die.rolled
        stay = Stay(self._count, die.track, die.xyxy, die.rested_since, rolled, seconds, began, last_empty)
        stay.last_seen = seconds if not die.hidden else -math.inf
        before = -math.inf if self.snapshot is None else self.snapshot.seconds
        if die.arrived_by <= before and not moved:
            stay.arrival_log_chance = PRIORS.rolled_in_place
        stay.read(die.probabilities)
        shift = distance(was.stay.box, die.xyxy) if turned and was is not None else None
        return Sighting(stay, die.kept, shift=shift, turned=turned)

    def _since(self, die: SeenDie, seconds: float) -> tuple[float, float]:
        """Seconds when this die came to rest in its place, and when the place was last seen empty (minus infinity:
        never)."""
        began, last_empty = seconds, -math.inf
        for then, seen in reversed(self._recent):
            if then > seconds:
                continue
            if any(one.track == die.track and rests_there(die, one) for one in seen.dice):
                began, last_empty = then, -math.inf
            elif not seen_empty(seen, die):
                last_empty = -math.inf
            else:
                last_empty = max(last_empty, then)
                if last_empty - then >= NOTICED_SECONDS:
                    return began, last_empty
        return began, -math.inf
