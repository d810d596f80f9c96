"""What the referee remembers between readings, and the dice of a reading by where they lie."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.game.changes import Question
from companion.referee.aside import (
    ASIDE_ALONE,
    LEFT_IN_PLAY,
    Handled,
    carried,
    carried_since,
    lying_alone,
    moved_again,
    put_aside,
)
from companion.referee.ranking import Ranking
from companion.referee.sight import NEVER, SAME_SPOT, log_chance, lying_still, minus, near, overlap, values
from companion.referee.story import Story
from engine.dice import Faces, together
from engine.krone.events import Event, Keep
from engine.krone.state import Turn
from vision.types import Reading, SeenDie

ALSO_MADE = -1.0  # where no kept row is known: dice that were turned or added lie aside as well
NOT_YET = -1.0  # … or nothing lies aside yet
HIDDEN = -1.0  # a die that must be there is not seen
MAY_SHOW = 0.03  # a chance from which a die may well show something else than it seems to
MOST_OTHERWISE = 4  # dice taken otherwise, one at a time


Taken = tuple[SeenDie, int]  # a die as it seems, and what it shows


@dataclass(frozen=True, slots=True)
class Suspected:
    """An unlikely explanation: what it is, its log chance, and since when (seconds) it has been the best."""

    told: object
    score: float
    since: float


@dataclass(slots=True)
class Memory:
    """What the referee knows besides the course of the game.

    throw: the last one explained; lines: numbers of the lines known; hand: what hands have done since that throw;
    cleared: the table was seen empty since; before: the last settled reading with all dice before a new throw;
    missed: a settled reading after a throw that nothing explained; doubtful: there was one since the last line;
    suspected: an unlikely explanation that may turn out to be the right one; chances: how sure each value of the last
    roll was; asked: questions about this turn, which what is seen later may answer;
    lifted: tracks of dice in play taken up since `before`; landed: the last throw as it came to lie; was_kept: where no
    row is known, tracks of the dice that did not roll with it; aside: … of those a hand has carried elsewhere since;
    wavered: those of the throw that showed something else since, by track, as they are known now; again: one that a
    hand had carried elsewhere has been taken up again; none: throws counted in which nothing was thrown;
    taken: dice that show something else than they seem to for as long as they lie there, and what; cost: log chance of
    all that has happened in this turn, as it is told; unfit: nothing explains what lies there.
    """

    throw: int = 0
    lines: tuple[int, ...] | None = None
    hand: Ranking | None = None
    cleared: bool = False
    before: Reading | None = None
    missed: Reading | None = None
    doubtful: bool = False
    suspected: Suspected | None = None
    chances: dict[int, tuple[float, ...]] = field(default_factory=dict)
    asked: tuple[Question, ...] = ()
    lifted: frozenset[int] = frozenset()
    landed: Reading | None = None
    was_kept: frozenset[int] = frozenset()
    aside: frozenset[int] = frozenset()
    wavered: dict[int, SeenDie] = field(default_factory=dict)
    again: bool = False
    none: frozenset[int] = frozenset()
    taken: tuple[Taken, ...] = ()
    cost: float = 0.0
    unfit: bool = False

    def taking(self, *more: Taken) -> Memory:
        """The same, with these dice taken for what they are said to show."""
        landed, before = (one and as_taken(one, more) for one in (self.landed, self.before))
        return replace(self, taken=(*self.taken, *more), landed=landed, before=before)


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of a reading by where they lie. knows_kept: there is a row for kept ones, which says what is kept."""

    active: tuple[SeenDie, ...]
    kept: tuple[SeenDie, ...]
    knows_kept: bool = True

    @classmethod
    def of(cls, reading: Reading) -> Dice:
        """Those in play and those set aside."""
        in_play = tuple(die for die in reading.dice if not die.kept)
        return cls(in_play, tuple(die for die in reading.dice if die.kept), reading.knows_kept)

    def chances(self, since: Mapping[int, SeenDie] | None = None) -> dict[int, tuple[float, ...]]:
        """For each value seen in play the six chances of its dice: the least for that value, the largest for others.
        since: by track, dice whose chances have turned out to be others."""
        found: dict[int, tuple[float, ...]] = {}
        for die in self.active:
            now = (since or {}).get(die.track, die).probabilities
            both = zip(now, found.get(die.value, now), strict=True)
            found[die.value] = tuple((min if i == die.value - 1 else max)(pair) for i, pair in enumerate(both))
        return found

    @property
    def as_read(self) -> float:
        """Log chance that every die shows what it seems to."""
        return sum(math.log(max(die.confidence, 1e-9)) for die in (*self.active, *self.kept))

    def log_chance(self, story: Story) -> float:
        """Log chance of seeing these dice where the story ends."""
        turn = story.state.turn
        hidden = len(turn.active) + len(turn.kept) - len(self.active) - len(self.kept)
        if self.knows_kept:
            seen = log_chance(self.active, turn.active) + log_chance(self.kept, turn.kept)
        else:
            seen = log_chance((*self.active, *self.kept), together(turn.active, turn.kept))
        return HIDDEN * hidden if seen <= NEVER and hidden > 0 else seen


def rows(dice: Dice, memory: Memory, reading: Reading, on_record: Faces) -> list[tuple[Faces, Faces, float]]:
    """(kept, in play, log chance): where no row of kept dice is known, what a hand has put elsewhere may lie aside."""
    if dice.knows_kept:
        return [(values(dice.kept), values(dice.active), 0.0)]
    everything, handled = values(reading.dice), handled_since(memory, reading)
    surely = put_aside(reading.dice, handled)
    alone = values(die for die in reading.dice if die.track in handled.lone & handled.aside)
    aside = [
        (minus(surely, alone), LEFT_IN_PLAY if alone else 0.0),
        (surely, ASIDE_ALONE if alone else 0.0),
        (carried(reading.dice, memory.landed), ALSO_MADE + (ASIDE_ALONE if alone else 0.0)),
        ((), NOT_YET),
    ]
    found: dict[Faces, float] = {}
    for more, cost in sorted(aside, key=lambda one: -one[1]):
        found.setdefault(overlap(everything, together(on_record, minus(more, minus(on_record, everything)))), cost)
    return [(kept, minus(everything, kept), cost) for kept, cost in found.items()]


def lay_in_play(memory: Memory, now: Reading) -> tuple[SeenDie, ...]:
    """The dice in play when all were last seen before this throw, if it is known that none was set aside after."""
    before = memory.before
    if before is None or not now.knows_kept or memory.lifted:
        return ()
    dice = Dice.of(before)
    return dice.active if values(dice.kept) == values(Dice.of(now).kept) else ()


def otherwise(
    reading: Reading, among: Sequence[SeenDie], turns: Iterable[Turn] = (), before: Reading | None = None
) -> Iterator[Reading]:
    """The reading with one die showing something else: what one `among` them may well show, or showed when it lay
    there `before`, and what any would if nothing had been turned since one of these moments of the turn."""
    found: dict[tuple[int, int], None] = {}
    for die in among:
        for was in () if before is None else before.dice:
            if was.value != die.value and near(was, die, SAME_SPOT):
                found[die.track, was.value] = None
    may = [(die, face) for die in among for face in range(1, 7) if die.probabilities[face - 1] >= MAY_SHOW]
    for die, face in sorted(may, key=lambda one: -one[0].probabilities[one[1] - 1]):
        if face != die.value:
            found[die.track, face] = None
    seen = values(reading.dice)
    for turn in turns:
        due = together(turn.active, turn.kept)
        more, less = minus(seen, due), minus(due, seen)
        if len(more) == len(less) == 1:
            alike = [die for die in reading.dice if die.value == more[0]]
            found[max(alike, key=lambda die: die.probabilities[less[0] - 1]).track, less[0]] = None
    for track, face in list(found)[:MOST_OTHERWISE]:
        dice = (replace(die, probabilities=surely(face)) if die.track == track else die for die in reading.dice)
        yield replace(reading, dice=tuple(dice))


def as_taken(reading: Reading, taken: Iterable[Taken]) -> Reading:
    """The reading with dice that show something else than they seem to for as long as they lie there."""
    by_track = {was.track: (was, face) for was, face in taken}
    return replace(reading, dice=tuple(_as_taken(die, by_track.get(die.track)) for die in reading.dice))


def _as_taken(die: SeenDie, taken: Taken | None) -> SeenDie:
    if taken is None or die.value != taken[0].value or not near(taken[0], die):
        return die
    return replace(die, probabilities=surely(taken[1]))


def surely(face: int) -> tuple[float, float, float, float, float, float]:
    a, b, c, d, e, f = (float(face == value) for value in range(1, 7))
    return a, b, c, d, e, f


def carried_aside(memory: Memory, reading: Reading) -> frozenset[int]:
    """Tracks of the dice that hands have carried elsewhere since the last throw, where no row is known."""
    return memory.aside | carried_since(memory.before, reading)


def handled_since(memory: Memory, reading: Reading) -> Handled:
    """What hands have done since the last throw, where no row is known."""
    aside, before, landed = carried_aside(memory, reading), memory.before, memory.landed
    added: frozenset[int] = frozenset()
    if before is not None and landed is not None and len(before.dice) > len(landed.dice):
        old = {die.track for die in landed.dice}
        added = frozenset(die.track for die in before.dice if die.track not in old and die.track not in aside)
    lone = lying_alone(reading.dice, memory.was_kept, aside)
    return Handled(landed, memory.was_kept, aside, added, lone, memory.throw)


def taken_again(memory: Memory, reading: Reading) -> bool:
    """Whether a die that a hand had carried elsewhere since the last throw has been taken up again, where no row is
    known."""
    return memory.again or (not reading.knows_kept and moved_again(memory.before, reading, memory.aside))


def note(memory: Memory, turn: Turn, reading: Reading) -> None:
    """Remember where all dice lay when all were seen, and which of those in play were taken up since."""
    if memory.before is None or len(reading.dice) >= len(turn.active) + len(turn.kept):
        memory.again = taken_again(memory, reading)
        if not reading.knows_kept:
            memory.aside = carried_aside(memory, reading) & frozenset(die.track for die in reading.dice)
        memory.before, memory.lifted = reading, frozenset()
    else:
        lying = lying_still(reading, memory.before)
        gone = {die.track for die in memory.before.dice if not die.kept and die.track not in lying}
        memory.lifted = memory.lifted | gone


def aside_after(memory: Memory, reading: Reading, events: Iterable[Event]) -> frozenset[int]:
    """Tracks of the dice that were set aside in these events after a throw nobody saw roll, and lie there now."""
    carried = [] if reading.knows_kept else [d for d in reading.dice if d.track in carried_aside(memory, reading)]
    found: set[int] = set()
    for value in [die for event in events if isinstance(event, Keep) for die in event.dice]:
        found |= {die.track for die in [die for die in carried if die.value == value and die.track not in found][:1]}
    return frozenset(found)


def kept_on_record(memory: Memory, reading: Reading, kept: Faces) -> frozenset[int]:
    """Tracks of the dice that lie aside after a throw with which these values were set aside."""
    if reading.knows_kept:
        return frozenset(die.track for die in reading.dice if die.kept)
    lone = lying_alone(reading.dice, memory.was_kept, memory.aside)
    # What did not roll with a throw that vision did not count, or with one that was none for it, it cannot say.
    lying = sorted(
        reading.dice,
        key=lambda d: (
            d.track not in memory.was_kept,
            d.track not in memory.aside,
            not d.kept,
            d.rolled,
            d.track in lone,
        ),
    )
    found: set[int] = set()
    for value in kept:
        found |= {die.track for die in [die for die in lying if die.value == value and die.track not in found][:1]}
    return frozenset(found)
