"""What vision reports, as evidence: dice that lie somewhere for a while, and the moments of rest they are seen in.

A `Lie` is one die lying in one place from when it came there until it goes or a hand may have turned it: its face does
not change, so all readings of it add up. A `Scene` is a settled moment: the lies seen in it. Lies are shared by all
scenes in which they are seen; what is learnt of them later holds for the earlier scenes too.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from companion.game.referee.distances import SAME_PLACE, SAME_SPOT, alone, apart, covers
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
from vision.tracking.boxes import touch
from vision.tracking.constants import BLINK_SECONDS
from vision.types import Box, Reading, SeenDie

REMEMBERED_SECONDS = 5.0  # between two scenes, for which a place is remembered where a die has lain
MOST_GONE = 12  # such places
MOST_READINGS = 90  # that count for what a die shows, or are looked back on
BRIEF_REST_SECONDS = 0.15  # a die that lay still for so long did not just pass
STILL_THERE = 0.95  # chance that a die a hand hides lies there still, from which on it counts as seen
MOVED = 0.75  # chance of having rolled or been in a hand: what came is surely one of both, what was overlooked neither
NOTICED_SECONDS = 0.24  # after a hand has left a die is seen; counted: 99 % of 8,392 within 0.13 s (12 a second: 0.17)
TIPPING_SECONDS = 1.0  # after it came to lie there a die in sight may still tip over; counted: 16 of 16 by 0.7 s
EARLIER = 0.5  # readings that all earlier ones count as once a sure one shows another face
LATE_SECONDS = 1.0  # after a hand has turned a die its readings may still say what it showed before

Six = tuple[float, float, float, float, float, float]


@dataclass(slots=True, eq=False)
class Stay:
    """number: its name; track, came, rolled, touched: as vision reports; box: pixels, as last seen; mean: the mean of
    the six chances over `count` readings; log_chances: of the six faces, index 0 for an unread die; arrived: log
    chance of it having come there since all lay still before, rather than having been overlooked then."""

    number: int
    track: int
    box: Box
    came: float | None
    rolled: float
    touched: bool
    seconds: float = 0.0  # when a scene first showed it there …
    began: float = 0.0  # … when it had come to lie there …
    last_empty: float = -math.inf  # … and when its place was last seen without it
    last_seen: float = -math.inf  # when it was last in sight there
    arrival_log_chance: float = 0.0
    mean: list[float] = field(default_factory=lambda: [0.0] * 6)
    count: float = 0.0
    log_chances: tuple[float, ...] = (0.0,) * 7

    def read(self, chances: Six) -> None:
        """One more reading of it; where that is surely another face, it had not come to rest before, or was misread."""
        surely = min(max(chances), self.confidence) >= PRIORS.confident
        if surely and chances.index(max(chances)) + 1 != self.value:
            self.count = min(self.count, EARLIER)
        counts = 1.0 if max(chances) >= PRIORS.confident else PRIORS.doubted
        self.mean = [
            (m * self.count + c * counts) / (self.count + counts) for m, c in zip(self.mean, chances, strict=True)
        ]
        self.count = min(self.count + counts, MOST_READINGS)
        shown = self.mean
        top = max(shown)
        extra = PRIORS.mistaken if top >= PRIORS.confident else 0.0
        found = [math.log(c) if c == top else max(PRIORS.floor, math.log(max(c, 1e-9)) + extra) for c in shown]
        self.log_chances = (PRIORS.floor, *found)

    def tips(self, seconds: float) -> bool:
        """Whether it has come to lie there so lately that it may still tip over; later a hand has turned it."""
        return seconds - self.began < TIPPING_SECONDS

    @property
    def value(self) -> int:
        """Its likeliest face."""
        return max(range(1, 7), key=self.log_chances.__getitem__)

    @property
    def confidence(self) -> float:
        """The chance of that face."""
        return math.exp(self.log_chances[self.value])


@dataclass(frozen=True, slots=True)
class Sighting:
    """A lie as it is seen in one scene. kept: it lies in the row for dice set aside; covered: it has been out of
    sight since the scene before; shift: how far it lies from where it was then, in die widths (None: it was not
    there); turned: it lies, for the first time, where it lay when it showed something else; there: 1, under a hand the
    chance that vision gives it to lie there still."""

    stay: Stay
    kept: bool
    covered: bool = False
    shift: float | None = None
    turned: bool = False
    there: float = 1.0

    @property
    def gone(self) -> float:
        """Log chance that it has gone from where nobody has looked since; of one that is seen none."""
        if self.there < STILL_THERE:
            return PRIORS.long_hidden
        return PRIORS.lingers if self.there < 1.0 else PRIORS.hidden if self.shift == 0.0 else -math.inf


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A settled moment, or one at which only what is shown is known (a glimpse). throws: how many vision expects there
    to have been, None of a glimpse; knows_row: there is a place for dice set aside; hand: one is in the picture."""

    sightings: tuple[Sighting, ...]
    throws: float | None
    seconds: float
    has_kept_zone: bool
    hand: bool = False

    @property
    def whole(self) -> bool:
        """Whether what it does not show is out of sight."""
        return self.throws is not None

    @property
    def hidden(self) -> float:
        """Log chance of a die that lies there not being seen."""
        return 0.0 if not self.whole else PRIORS.under_hand if self.hand else PRIORS.hidden

    @property
    def numbers(self) -> frozenset[int]:
        """The names of the lies seen in it."""
        return frozenset(sighting.stay.number for sighting in self.sightings)

    def repeats(self, before: Snapshot) -> bool:
        """Whether it shows what the scene before showed."""
        if self.numbers != before.numbers or self.throws != before.throws:
            return False
        return not any(sighting.covered and (sighting.shift or 0.0) > SAME_SPOT / 2 for sighting in self.sightings)


class Observer:
    """Follows lies from reading to reading."""

    def __init__(self) -> None:
        self._count = 0
        self._gone: list[Sighting] = []  # lies out of sight
        self._unseen: dict[int, float] = {}  # by track: when it was last out of sight …
        self._held: dict[int, float] = {}  # … and when a hand was last at it
        self._seconds = -math.inf  # of the last reading
        self._lay: dict[int, tuple[SeenDie, float, Reading]] = {}  # by track: since when it lay still, and up to when
        self._left: list[tuple[SeenDie, float, Reading]] = []  # … that lay so before
        self._recent: deque[tuple[float, Reading]] = deque(maxlen=MOST_READINGS)
        self.snapshot: Snapshot | None = None

    def watch(self, reading: Reading) -> None:
        """Any reading, settled or not: which dice are out of sight, and which lie still. Each counts once."""
        if self._recent and self._recent[-1][1] is reading:
            return
        out = {track for track, (die, *_) in self._lay.items() if covers(reading.hands, die.xyxy)}
        out |= set() if self.snapshot is None else {sighting.stay.track for sighting in self.snapshot.sightings}
        out -= {die.track for die in reading.dice if not die.hidden}
        out |= {die.track for die in reading.dice if die.hidden}
        gap, self._seconds = reading.seconds - self._seconds, reading.seconds
        if BLINK_SECONDS < gap < math.inf:
            out |= {*self._lay, *(die.track for die in reading.dice)}
        self._unseen |= dict.fromkeys(out, reading.seconds)
        at = (die.track for die in reading.dice if any(touch(die.xyxy, hand) for hand in reading.hands))
        self._held |= dict.fromkeys(at, reading.seconds)
        self._recent.append((reading.seconds, reading))
        for die in reading.dice:
            if die.hidden:
                continue
            self._seen_on(die, reading)
            was, began, last_seen = self._lay.get(die.track, (die, reading.seconds, reading))
            if not rests_there(was, die):
                self._left += [(was, began, last_seen)] if last_seen.seconds - began >= BRIEF_REST_SECONDS else []
                was, began, last_seen = die, reading.seconds, reading
            sure = die.rests and die.confidence >= PRIORS.confident
            self._lay[die.track] = was, began, reading if sure else last_seen

    def _seen_on(self, die: SeenDie, reading: Reading) -> None:
        """A die that lies as in the last scene; in sight since then, it shows what it showed then."""
        old = () if self.snapshot is None else self.snapshot.sightings
        was = next((sighting.stay for sighting in old if sighting.stay.track == die.track), None)
        if was is None or self.snapshot is None or not near(was.box, die):
            return
        if die.rests and die.value == was.value and apart(was.box, die.xyxy) < SAME_SPOT:
            was.last_seen = reading.seconds
        seen, held = (times.get(die.track, -math.inf) for times in (self._unseen, self._held))
        late = reading.seconds - held < LATE_SECONDS and (was.rolled < HANDLED or was.seconds < self.snapshot.seconds)
        in_sight = max(seen, held) < self.snapshot.seconds and not late
        if die.rests and in_sight and was.value != die.value and was.tips(reading.seconds) and not reading.settled:
            was.read(die.probabilities)

    def brief_rests(self, reading: Reading, over: bool = False) -> Iterator[Reading]:
        """What lay still and was gone before this settled reading: what was seen then, before one after the other is
        taken for the `scene`. over: nothing will settle any more, so what lies still in this reading counts too."""
        self.watch(reading)
        old = () if self.snapshot is None else self.snapshot.sightings
        now = replace(reading, dice=()) if over else reading
        shown: tuple[SeenDie, ...] = ()
        for die, began, last in sorted((*self._left, *self._lay.values()), key=lambda one: one[2].seconds):
            gone = self._unseen.get(die.track, -math.inf) > began or (over and last is reading)
            known = any(rests_there(die, one) for one in (*now.dice, *shown))
            lay = last.seconds - began >= BRIEF_REST_SECONDS and gone and not known
            if lay and not any(e.stay.value == die.value and near(e.stay.box, die) for e in old):
                shown = tuple(lain for one in last.dice if (lain := as_it_rested(one, last, now)).rests)
                yield replace(last, dice=shown)
        self._left.clear()
        there = {die.track for die in reading.dice}
        self._lay = {track: one for track, one in self._lay.items() if track in there}
        there |= {sighting.stay.track for sighting in old}
        for times in (self._unseen, self._held):
            for track in times.keys() - there:
                del times[track]

    def see(self, reading: Reading) -> Snapshot:
        """The scene of a reading that has been watched; `scene` is the one before until it is set to this one."""
        before = self.snapshot
        old = {} if before is None else {sighting.stay.track: sighting for sighting in before.sightings}
        there = {die.track for die in reading.dice}
        lost = [sighting for track, sighting in old.items() if track not in there]
        if old and before is not None and reading.seconds - before.seconds < REMEMBERED_SECONDS:
            lost += [one for one in self._gone if one.stay.track not in there]
        hidden = {one.stay.track: one for one in self._gone}  # what comes to light under its old name is itself
        sightings, moves = [], dict[int, tuple[Box, Box]]()
        for die in reading.dice:
            was = old.get(die.track, hidden.get(die.track))
            unseen = self._unseen.get(die.track, -math.inf)
            covered = before is None or die.track not in old or unseen >= before.seconds
            held = max(unseen, self._held.get(die.track, -math.inf))
            in_sight = not covered and reading.seconds - held >= LATE_SECONDS
            if was is None or not (
                (
                    in_sight
                    and near(was.stay.box, die)
                    and (was.stay.value == die.value or was.stay.tips(reading.seconds))
                )
                or is_same_stay(was.stay, die, covered)
            ):
                found = next((one for one in lost if same_spot(one.stay, die)), None)
                if found is None or (was is not None and was.stay is found.stay):
                    sightings.append(self._new(die, was, reading.seconds))
                    continue
                lost.remove(found)
                was = found  # lost from sight, and seen anew where it lay, as itself
                was.stay.track = die.track
            last = was.stay.box
            was.stay.read(die.probabilities)
            still = die.there if die.hidden else 1.0
            sightings.append(Sighting(was.stay, die.kept, covered, 0.0, there=still))
            moves[was.stay.number] = last, die.xyxy
            was.stay.box = die.xyxy
        sightings = [replace(e, shift=alone(e.stay.number, moves)) if e.stay.number in moves else e for e in sightings]
        self._gone = lost[:MOST_GONE]
        throws = reading.throws if reading.settled else None
        return Snapshot(tuple(sightings), throws, reading.seconds, reading.knows_kept, bool(reading.hands))

    def _new(self, die: SeenDie, was: Sighting | None, seconds: float) -> Sighting:
        self._count += 1
        moved = was is not None and was.stay.came == die.came  # how it once came there tells of no throw
        turned = moved and was is not None and apart(was.stay.box, die.xyxy) < SAME_PLACE
        began, last_empty = self._since(die, seconds)
        rolled = min(die.rolled, 0.5) if moved else die.rolled
        stay = Stay(self._count, die.track, die.xyxy, die.came, rolled, die.touched, seconds, began, last_empty)
        stay.last_seen = seconds if not die.hidden else -math.inf
        if not (moved or die.hidden) and die.rolled + die.handled < MOVED:
            stay.arrival_log_chance = PRIORS.lay
        stay.read(self._clearest(die).probabilities)
        shift = apart(was.stay.box, die.xyxy) if turned and was is not None else None
        return Sighting(stay, die.kept, shift=shift, turned=turned)

    def _clearest(self, die: SeenDie) -> SeenDie:
        """This die; where a hand has been over it, as it was read most surely before, at rest where it lies."""
        hidden = self._unseen.get(die.track, -math.inf)
        seen = (
            one for then, reading in self._recent if then < hidden for one in reading.dice if one.track == die.track
        )
        alike = (one for one in seen if one.rests and not one.hidden and rests_there(die, one))
        return max((die, *alike), key=lambda one: one.confidence)

    def _since(self, die: SeenDie, seconds: float) -> tuple[float, float]:
        """Since when this die has lain where it lies at this time, and when its place was last seen without it."""
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
