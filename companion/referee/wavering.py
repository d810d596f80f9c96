"""Dice that show now this, now that, although no hand has turned them: what they show is then a matter of doubt.

The vision side votes over the last few looks. A die that is hard to read may be voted a 3 with certainty and a moment
later a 6; over all the time that it lies there both have their share.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.referee.sight import near
from vision.seen import Reading, SeenDie

Six = tuple[float, ...]
PUT = 0.5  # a die that less likely rolled there than this was put there, or turned, by a hand
FOLLOWED = 90  # settled readings that count at most: what a die has shown for long, it shows


@dataclass(frozen=True, slots=True)
class Lie:
    """A die for as long as it lies in one place. die: as last seen; chances: the mean of all settled readings; count:
    of so many; shown: the values it was voted, in the order in which they came; before: what it was until a hand may
    have turned it."""

    die: SeenDie
    chances: Six
    count: int = 1
    shown: tuple[int, ...] = ()
    before: Lie | None = None

    @property
    def wavers(self) -> bool:
        """Whether it has shown several values while it lay there."""
        return len(set(self.shown)) > 1


def followed(lies: dict[int, Lie], reading: Reading) -> dict[int, Lie]:
    """The dice of a settled reading, those that still lie where they lay with all that they have shown there."""
    return {die.track: _longer(lies.get(die.track), die) for die in reading.dice}


def _longer(was: Lie | None, die: SeenDie) -> Lie:
    if was is None or was.die.came != die.came or not near(was.die, die):
        return Lie(die, die.probabilities, shown=(die.value,))
    if die.value != was.shown[-1] and die.rolled <= PUT:
        # A hand that puts a die down may also turn it; but hardly ever is it turned back again.
        if was.before is None or was.before.shown[-1] != die.value or was.before.die.rolled > PUT:
            return Lie(die, die.probabilities, shown=(die.value,), before=was)
        both = _mixed(was.before.chances, was.before.count, was.chances, was.count)
        was = Lie(die, both, was.before.count + was.count, (*was.before.shown, *was.shown))
    if was.die.rolled > PUT >= die.rolled:
        return Lie(die, die.probabilities, shown=(die.value,))  # taken up and turned
    shown = was.shown if was.shown[-1] == die.value else (*was.shown, die.value)
    return Lie(
        die, _mixed(was.chances, was.count, die.probabilities, 1), min(was.count + 1, FOLLOWED), shown, was.before
    )


def _mixed(one: Six, count: int, other: Six, more: int) -> Six:
    return tuple((a * count + b * more) / (count + more) for a, b in zip(one, other, strict=True))


def as_it_lay(reading: Reading, lies: dict[int, Lie]) -> Reading:
    """The reading with the chances of dice that waver as they are over all the time they have lain there."""
    return replace(reading, dice=tuple(_as_it_lay(die, lies) for die in reading.dice))


def _as_it_lay(die: SeenDie, lies: dict[int, Lie]) -> SeenDie:
    lie = lies.get(die.track)
    if lie is None or not lie.wavers:
        return die
    a, b, c, d, e, f = lie.chances
    return replace(die, probabilities=(a, b, c, d, e, f))


def wavering(lies: dict[int, Lie], dice: Iterable[SeenDie]) -> tuple[SeenDie, ...]:
    """Those of these dice that still lie there and have wavered since, with their chances now."""
    return tuple(_as_it_lay(die, lies) for die in dice if die.track in lies and lies[die.track].wavers)
