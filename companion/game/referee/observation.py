"""What vision reports, as evidence: dice that lie somewhere for a while, and the moments of rest they are seen in.

A `Lie` is one die lying in one place from when it came there until it goes or a hand may have turned it: its face does
not change, so all readings of it add up. A `Scene` is a settled moment: the lies seen in it. Lies are shared by all
scenes in which they are seen; what is learnt of them later holds for the earlier scenes too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.game.referee.priors import PRIORS
from engine.dice import UNREAD
from vision.types import Box, Reading, SeenDie

SAME_PLACE = 0.5  # die widths: a die that has moved less lies where it lay
SAME_SPOT = 0.12  # … for certain: of 85,000 dice left lying none seemed to have moved so much, thrown ones all but do
REMEMBERED_SECONDS = 5.0  # between two scenes, for which a place is remembered where a die has lain
MOST_GONE = 12  # such places
HANDLED = 0.5  # chance of having rolled there: below it a hand seems to have put the die there
MOST_READINGS = 90  # that count for what a die shows
OTHER_SIZE = 1.08  # of a die that another hides in part the box is smaller, at least so many times
GLIMPSED_SECONDS = 0.25  # a die that lay still for so long did not just pass
BLINK_SECONDS = 0.3  # between two readings: in more a hand may come, turn a die and be gone
LATE_SECONDS = 1.0  # after a hand has turned a die its readings may still say what it showed before

Six = tuple[float, float, float, float, float, float]


@dataclass(slots=True, eq=False)
class Lie:
    """number: its name; track, came, rolled, touched: as vision reports; box: pixels, as last seen; mean: the mean of
    the six chances over `count` readings; log_chances: of the six faces, index 0 for an unread die."""

    number: int
    track: int
    box: Box
    came: int | None
    rolled: float
    touched: bool
    seconds: float = 0.0  # when it was seen there first
    mean: list[float] = field(default_factory=lambda: [0.0] * 6)
    count: float = 0.0
    log_chances: tuple[float, ...] = (0.0,) * 7

    def read(self, chances: Six) -> None:
        """One more reading of it."""
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

    @property
    def value(self) -> int:
        """Its likeliest face."""
        return max(range(1, 7), key=self.log_chances.__getitem__)

    @property
    def confidence(self) -> float:
        """The chance of that face."""
        return math.exp(self.log_chances[self.value])


@dataclass(frozen=True, slots=True)
class Entry:
    """A lie as it is seen in one scene. kept: it lies in the row for dice set aside; covered: it has been out of
    sight since the scene before; shift: how far it lies from where it was then, in die widths (None: it was not
    there); turned: it lies, for the first time, where it lay when it showed something else."""

    lie: Lie
    kept: bool
    covered: bool = False
    shift: float | None = None
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A settled moment. throw: vision's count of throws; knows_row: there is a place for dice set aside."""

    entries: tuple[Entry, ...]
    throw: int
    seconds: float
    knows_row: bool

    @property
    def numbers(self) -> frozenset[int]:
        """The names of the lies seen in it."""
        return frozenset(entry.lie.number for entry in self.entries)


class Observer:
    """Follows lies from reading to reading."""

    def __init__(self) -> None:
        self._count = 0
        self._gone: list[Entry] = []  # lies out of sight
        self._unseen: dict[int, float] = {}  # by track: when it was last out of sight
        self._seconds = math.inf  # of the last reading
        self.scene: Scene | None = None

    def watch(self, reading: Reading) -> None:
        """Any reading, settled or not: which dice are out of sight."""
        tracks = {die.track: die.hidden for die in reading.dice}
        if self.scene is not None:
            tracks |= {entry.lie.track: True for entry in self.scene.entries if entry.lie.track not in tracks}
        blinked = reading.seconds - self._seconds > BLINK_SECONDS
        self._unseen = {
            track: reading.seconds if hidden or blinked else self._unseen.get(track, -math.inf)
            for track, hidden in tracks.items()
        }
        self._seconds = reading.seconds

    def see(self, reading: Reading) -> Scene:
        """The scene of a settled reading; `scene` is the one before until it is set to this one."""
        self.watch(reading)
        before = self.scene
        old = {} if before is None else {entry.lie.track: entry for entry in before.entries}
        there = {die.track for die in reading.dice}
        lost = [entry for track, entry in old.items() if track not in there]
        if old and before is not None and reading.seconds - before.seconds < REMEMBERED_SECONDS:
            lost += [one for one in self._gone if one.lie.track not in there]
        hidden = {one.lie.track: one for one in self._gone}  # what comes to light under its old name is itself
        entries = []
        for die in reading.dice:
            was = old.get(die.track, hidden.get(die.track))
            unseen = self._unseen[die.track]
            covered = before is None or die.track not in old or unseen >= before.seconds
            in_sight = not covered and reading.seconds - unseen >= LATE_SECONDS
            if was is None or not (in_sight or _lies_on(was.lie, die)):
                found = next((one for one in lost if _same_spot(one.lie, die)), None)
                if found is None or (was is not None and was.lie is found.lie):
                    entries.append(self._new(die, was, reading.seconds))
                    continue
                lost.remove(found)
                was = found  # lost from sight, and seen anew where it lay, as itself
                was.lie.track = die.track
            last = was.lie.box
            if was.lie.value != die.value and min(was.lie.confidence, die.confidence) >= PRIORS.confident:
                was.lie.count = min(was.lie.count, 1.0)  # it had not come to rest, or was misread
            was.lie.read(die.probabilities)
            entries.append(Entry(was.lie, die.kept, covered, shifted(last, die.xyxy)))
            was.lie.box = die.xyxy
        self._gone = lost[:MOST_GONE]
        return Scene(tuple(entries), reading.throw, reading.seconds, reading.knows_kept)

    def _new(self, die: SeenDie, was: Entry | None, seconds: float) -> Entry:
        self._count += 1
        moved = was is not None and was.lie.came == die.came  # how it once came there tells of no throw
        turned = moved and was is not None and apart(was.lie.box, die.xyxy) < SAME_PLACE
        rolled = min(die.rolled, 0.5) if moved else die.rolled
        lie = Lie(self._count, die.track, die.xyxy, die.came, rolled, die.touched, seconds)
        lie.read(die.probabilities)
        shift = None if was is None else apart(was.lie.box, die.xyxy)
        return Entry(lie, die.kept, shift=shift if turned else None, turned=turned)


@dataclass(slots=True)
class Glimpses:
    """Dice that lay still while others moved or a hand was there, and were gone before anything settled."""

    _seen: dict[int, tuple[SeenDie, float, float]] = field(default_factory=dict)  # by track: first so, then, and last

    def see(self, reading: Reading) -> None:
        """A reading that is not settled."""
        for die in reading.dice:
            was, since, _ = self._seen.get(die.track, (die, reading.seconds, 0.0))
            if was.value != die.value or apart(was.xyxy, die.xyxy) >= SAME_SPOT or die.confidence < PRIORS.confident:
                was, since = die, reading.seconds
            if die.confidence >= PRIORS.confident:
                self._seen[die.track] = was, since, reading.seconds

    def missed(self, *scenes: Scene | None) -> bool:
        """Whether one of them lay in none of these scenes; they are forgotten."""
        there = [entry.lie for scene in scenes if scene is not None for entry in scene.entries]
        lay = [die for die, since, last in self._seen.values() if last - since >= GLIMPSED_SECONDS]
        self._seen.clear()
        return any(not any(o.value == die.value and apart(o.box, die.xyxy) < SAME_PLACE for o in there) for die in lay)


def _lies_on(lie: Lie, die: SeenDie) -> bool:
    """Whether this is the same die, where it lay, not turned since."""
    if lie.came != die.came or apart(lie.box, die.xyxy) >= SAME_PLACE:
        return False
    handled = die.touched or die.rolled < HANDLED <= lie.rolled
    sure = min(lie.confidence, max(die.probabilities)) >= PRIORS.confident  # nothing that lies still turns by itself
    return lie.value == die.value or not (handled or sure) or die.value == UNREAD


def _same_spot(lie: Lie, die: SeenDie) -> bool:
    return lie.value == die.value and apart(lie.box, die.xyxy) < SAME_SPOT and die.rolled < 0.95


def apart(one: Box, other: Box) -> float:
    """How far the middles of two boxes are apart, in widths of the second."""
    width = max(1.0, (other[2] - other[0] + other[3] - other[1]) / 2)
    return math.hypot(one[0] + one[2] - other[0] - other[2], one[1] + one[3] - other[1] - other[3]) / 2 / width


def beside(box: Box, others: Iterable[Box], reach: float) -> bool:
    """Whether one of the others lies within `reach` die widths."""
    return any(apart(other, box) < reach for other in others)


def shifted(before: Box, now: Box) -> float:
    """How far a die has moved, in die widths; of one of which more or less is seen than before, its nearest corner."""
    sides = [math.sqrt(max(b[2] - b[0], 1.0) * max(b[3] - b[1], 1.0)) for b in (before, now)]
    if max(sides) <= OTHER_SIZE * min(sides):
        return apart(before, now)
    corners = [math.hypot(before[i] - now[i], before[j] - now[j]) for i in (0, 2) for j in (1, 3)]
    return min(apart(before, now), min(corners) / max(sides))
