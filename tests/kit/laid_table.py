"""A table whose readings are made by hand: settled dice, one reading for each move, without images and tracker.

`perform` plays the steps of a script (`tests.kit.script`), so that the referee is tested without the vision side.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tests.kit import script as do
from vision.messages import Doubt
from vision.types import Motion, Reading, SeenDie

WIDTH = 30.0


@dataclass(slots=True)
class LaidDie:
    """One die.

    Attributes:
        value, kept: Its value, and whether it counts as kept.
        seems: The value it seems to show, by default its own, with its probability.
        hidden: Not seen.
        aside: Really set aside, which is visible only with a known kept row.
        overlooked: Just detected although nothing moved there.
    """

    track: int
    value: int
    kept: bool
    x: float
    y: float
    sure: float = 0.99
    seems: int | None = None
    hidden: bool = False
    aside: bool = False
    rested_since: int = 0
    rolled: float = 0.05
    overlooked: bool = False


@dataclass(slots=True)
class ReadingErrors:
    """Errors: shares of rolled dice that seem to show another value as long as they rest, and of dice that are missing
    when a roll has just settled."""

    misread: float
    hidden: float
    random: random.Random

    def of(self, die: LaidDie) -> None:
        """Applies the errors to a die; a misread die is rarely as certain."""
        die.sure = 1 - 0.04 * self.random.random() ** 3
        die.hidden = self.random.random() < self.hidden
        if self.random.random() < self.misread:
            die.seems = self.random.choice([value for value in range(1, 7) if value != die.value])
            die.sure = 0.5 + 0.45 * self.random.random()


class LaidTable:
    """Dice on a table; call `read` after every change. rows: False if no kept row is known."""

    def __init__(self, seed: int = 0, rows: bool = True, noise: ReadingErrors | None = None) -> None:
        self.random = random.Random(seed)
        self.rows = rows
        self.noise = noise
        self.dice: list[LaidDie] = []
        self.throw_count = 0
        self.seconds = 0.0
        self._tracks = 0
        self._slot = 0

    def read(self, settled: bool = True, doubt: str | None = None, after: float = 1.0) -> Reading:
        """The reading of the table, `after` seconds later."""
        self.seconds += after
        dice = tuple(self._seen(die) for die in self.dice if not die.hidden)
        message = None if doubt is None else Doubt(doubt)
        motion = Motion.HAND if not settled else Motion.STABLE if dice else Motion.EMPTY
        return Reading(
            dice, settled, self.throw_count, motion, round(self.seconds * 30), self.seconds, message, self.rows
        )

    def put(self, value: int, kept: bool = False) -> LaidDie:
        """Adds a die."""
        self._tracks += 1
        if kept:
            self._slot += 1
            x, y = 60.0 * self._slot, 600.0
        else:
            x, y = self.random.uniform(100, 1200), self.random.uniform(50, 450)
        die = LaidDie(self._tracks, value, kept, x, y, rested_since=self.throw_count)
        if self.noise is not None:
            self.noise.of(die)
        self.dice.append(die)
        return die

    def throw(self, values: Sequence[int], again: Sequence[LaidDie] | None = None) -> None:
        """Dice in play (or those in `again`) are rolled and show `values`."""
        flying = [die for die in self.dice if not die.aside] if again is None else list(again)
        self.dice = [die for die in self.dice if die not in flying]
        if not self.rows:  # dice that did not move with the last roll count as kept
            for die in self.dice:
                die.kept = True
        self.throw_count += 1
        for value in values:
            self.put(value).rolled = 0.97

    def keep(self, *values: int) -> None:
        """Dice in play are set aside."""
        for value in values:
            die = self.active(value)
            self._slot += 1
            die.aside, die.kept, die.x, die.y = True, self.rows, 60.0 * self._slot, 600.0
            self._carried(die)

    def move(self, value: int, x: float, y: float) -> None:
        """A hand moves a die in play to another place in play."""
        die = self.active(value)
        die.x, die.y = x, y
        self._carried(die)

    def tidy(self, value: int, x: float, y: float) -> None:
        """A hand moves a die set aside by these pixels."""
        die = next(die for die in self.dice if die.aside and die.value == value)
        die.x, die.y = die.x + x, die.y + y
        self._carried(die)

    def take_back(self, *values: int) -> None:
        """Dice set aside come back into play."""
        for value in values:
            die = next(d for d in self.dice if d.aside and d.value == value)
            die.aside = die.kept = False
            die.x, die.y = self.random.uniform(100, 1200), self.random.uniform(50, 450)
            self._carried(die)

    def turn(self, before: Sequence[int], after: Sequence[int]) -> None:
        """Dice in play are turned by hand."""
        dice = []
        for value in before:
            die = next(d for d in self.dice if not d.aside and d.value == value and d not in dice)
            dice.append(die)
        for die, value in zip(dice, after, strict=True):
            die.value, die.seems = value, None

    def _carried(self, die: LaidDie) -> None:
        """Gives the die a new identity: after a hand has put it down, it cannot be distinguished from another die
        of the same value."""
        self._tracks += 1
        die.track, die.rested_since, die.rolled = self._tracks, self.throw_count, 0.05

    def clear(self) -> None:
        """All dice are taken from the table."""
        self.dice = []
        self._slot = 0

    def active(self, value: int) -> LaidDie:
        """A die in play that shows this value."""
        return next(die for die in self.dice if not die.aside and die.value == value)

    def perform(self, steps: Iterable[do.Step]) -> Iterator[Reading | str]:
        """Yields readings while the steps are performed, and the lines that people enter."""
        for step in steps:
            match step:
                case do.RollDice(values=values):
                    yield from self._thrown(values)
                case do.Keep(values=values):
                    for value in values:
                        self.keep(value)
                        yield self.read()
                case do.Enter(line=line):
                    assert line is not None
                    yield line
                case _:
                    self._moved(step)
                    yield self.read()

    def _thrown(self, values: Sequence[int]) -> Iterator[Reading]:
        """Yields the readings of a roll: while the dice roll, at rest, and then with the dice that were hidden."""
        yield self.read(settled=False)
        self.throw(values)
        yield self.read()
        if any(die.hidden for die in self.dice):
            for die in self.dice:
                die.hidden = False
            yield self.read()

    def _moved(self, step: do.Step) -> None:
        """Performs a step that takes place between two readings."""
        match step:
            case do.Turn(before=before, after=after):
                self.turn(before, after)
            case do.Add(value=value):
                self.put(value)
            case do.RerollDice(before=before, after=after):
                dice: list[LaidDie] = []
                for value in before:
                    dice.append(next(d for d in self.dice if not d.aside and d.value == value and d not in dice))
                self.throw(after, dice)
            case do.Clear():
                self.clear()

    def _seen(self, die: LaidDie) -> SeenDie:
        seems = die.seems or die.value
        rest = (1 - die.sure) / 5
        chances = [rest] * 6
        chances[seems - 1] = die.sure
        if seems != die.value:
            chances[die.value - 1] = max(rest, (1 - die.sure) * 0.9)
        half = WIDTH / 2
        box = (die.x - half, die.y - half, die.x + half, die.y + half)
        a, b, c, d, e, f = chances
        by = -math.inf if die.overlooked else math.inf
        return SeenDie(die.track, box, (a, b, c, d, e, f), die.kept, die.rested_since, die.rolled, arrived_by=by)
