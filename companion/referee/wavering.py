"""Dice that show now this, now that, although no hand has turned them: what they show is then a matter of doubt.

The vision side votes over the last few looks. A die that is hard to read may be voted a 3 with certainty and a moment
later a 6; over all the time that it lies there both have their share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.referee.sight import near
from vision.types import Reading, SeenDie

Six = tuple[float, float, float, float, float, float]
PUT = 0.5  # a die that less likely rolled there than this was put there, or turned, by a hand
DOUBTED = 0.95  # a die that is less sure than this, at any moment after it was recorded, is doubtful
FOLLOWED = 90  # settled readings that count at most: what a die has shown for long, it shows


@dataclass(frozen=True, slots=True)
class Lie:
    """A die for as long as it lies in one place. die: as last seen; chances: the mean of all settled readings; count:
    of so many; least: the chances when it was least sure; shown: the values it was voted, in the order in which they
    came; before: what it was until a hand may have turned it."""

    die: SeenDie
    chances: Six
    count: int
    least: Six
    shown: tuple[int, ...]
    before: Lie | None = None

    @classmethod
    def of(cls, die: SeenDie, before: Lie | None = None) -> Lie:
        """Seen there for the first time."""
        return cls(die, die.probabilities, 1, die.probabilities, (die.value,), before)

    @property
    def wavers(self) -> bool:
        """Whether it has shown several values while it lay there."""
        return len(set(self.shown)) > 1

    @property
    def doubted(self) -> bool:
        """Whether it was ever less than sure."""
        return self.wavers or max(self.least) < DOUBTED


def followed(lies: dict[int, Lie], reading: Reading) -> dict[int, Lie]:
    """The dice of a settled reading, those that still lie where they lay with all that they have shown there."""
    return {die.track: _longer(lies.get(die.track), die) for die in reading.dice}


def _longer(was: Lie | None, die: SeenDie) -> Lie:
    if was is None or was.die.came != die.came or not near(was.die, die):
        return Lie.of(die)
    if was.die.rolled > PUT >= die.rolled:
        return Lie.of(die)  # taken up and turned
    count, chances, least, shown = was.count, was.chances, was.least, was.shown
    if die.value != shown[-1] and (die.touched or die.rolled <= PUT):
        # A hand has been near and may have turned it; but hardly ever is a die turned back again.
        old = was.before
        if old is None or old.shown[-1] != die.value:
            return Lie.of(die, was)
        chances, count = _mixed(old.chances, old.count, chances, count), old.count + count
        least, shown = min(old.least, least, key=max), (*old.shown, *shown)
    if shown[-1] != die.value:
        shown = (*shown, die.value)
    chances = _mixed(chances, count, die.probabilities, 1)
    return Lie(die, chances, min(count + 1, FOLLOWED), min(least, die.probabilities, key=max), shown, was.before)


def _mixed(one: Six, count: int, other: Six, more: int) -> Six:
    a, b, c, d, e, f = ((x * count + y * more) / (count + more) for x, y in zip(one, other, strict=True))
    return a, b, c, d, e, f


def as_it_lay(reading: Reading, lies: dict[int, Lie]) -> Reading:
    """The reading with the chances of dice that waver as they are over all the time they have lain there."""
    return replace(reading, dice=tuple(_as_it_lay(die, lies.get(die.track)) for die in reading.dice))


def _as_it_lay(die: SeenDie, lie: Lie | None) -> SeenDie:
    return die if lie is None or not lie.wavers else replace(die, probabilities=lie.chances)


def as_doubted(reading: Reading, lies: Mapping[int, Lie]) -> Reading:
    """The reading with dice put there by a hand as doubtful as they ever were: what else they may show is not forgotten
    while they are read with certainty again."""
    return replace(reading, dice=tuple(_as_doubted(die, lies.get(die.track)) for die in reading.dice))


def _as_doubted(die: SeenDie, lie: Lie | None) -> SeenDie:
    if lie is None or die.rolled > PUT or lie.wavers or not lie.doubted:
        return die
    return replace(die, probabilities=_mixed(die.probabilities, 1, lie.least, 1))


def wavering(lies: dict[int, Lie], dice: Iterable[SeenDie]) -> tuple[SeenDie, ...]:
    """Those of these dice that still lie where they rolled and were ever doubtful, with their chances then and now."""
    return tuple(
        replace(die, probabilities=_mixed(lie.chances, 1, lie.least, 1))
        for die in dice
        if (lie := lies.get(die.track)) is not None and lie.doubted and min(die.rolled, lie.die.rolled) > PUT
    )
