"""Where no row is known: which dice lie aside, told from what hands have done with them since the last throw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.referee.sight import minus, near, values
from engine.dice import Faces, together
from vision.seen import Reading, SeenDie

ASIDE_UNMOVED = -2.2  # where no kept row is known: a die nobody touched counts as set aside
ASIDE_NOT = -3.5  # … and one that a hand has put elsewhere does not
ASIDE_ADDED = -1.0  # … and one that was added


@dataclass(frozen=True, slots=True)
class Handled:
    """What hands did since the last throw, where no row is known. landed: that throw as it came to lie; was_kept:
    tracks of dice that did not roll with it; aside: … of those carried elsewhere since; added: … laid down beside all
    that lay there."""

    landed: Reading | None
    was_kept: frozenset[int] = frozenset()
    aside: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()


def made_by_hand(lying: Sequence[SeenDie], landed: Reading | None) -> Faces:
    """Values among dice not thrown that the last throw did not leave there: turned or added."""
    return () if landed is None else minus(values(lying), values(landed.dice))


def carried(dice: Sequence[SeenDie], landed: Reading | None) -> Faces:
    """Values of the dice that a hand has put down since the last throw."""
    if landed is None:
        return ()
    old = {was.track for was in landed.dice}
    return values(die for die in dice if die.rolled <= 0.5 and die.track not in old)


def put_aside(dice: Sequence[SeenDie], handled: Handled) -> Faces:
    """… and that show what they showed: they lie elsewhere for no other reason."""
    surely = values(die for die in dice if die.track in handled.aside)
    others = [die for die in dice if die.track not in handled.aside | handled.added]
    made = minus(made_by_hand(dice, handled.landed), values(die for die in dice if die.track in handled.added))
    return together(surely, minus(carried(others, handled.landed), minus(made, surely)))


def carried_since(before: Reading | None, now: Reading) -> frozenset[int]:
    """Tracks of the dice that a hand has taken up since `before` and put down elsewhere, showing the same."""
    if before is None:
        return frozenset()
    old, new = {die.track for die in before.dice}, {die.track for die in now.dice}
    gone = list(values(die for die in before.dice if die.track not in new))
    found = set()
    for die in now.dice:
        if (
            die.track not in old
            and die.rolled <= 0.5
            and die.value in gone
            and not any(near(d, die) for d in before.dice)
        ):
            gone.remove(die.value)
            found.add(die.track)
    return frozenset(found)


def lies_aside(die: SeenDie, aside: bool, made: Faces, handled: Handled) -> float:
    """Log chance of a die lying where it does when it is set aside, or still in play."""
    if die.track in handled.aside:
        return 0.0 if aside else ASIDE_NOT
    landed = handled.landed
    untouched = die.rolled > 0.5 or (landed is not None and any(near(was, die) for was in landed.dice))
    if (die.value in made or die.track in handled.added) and not untouched:
        return ASIDE_ADDED if aside else 0.0
    if aside:
        return ASIDE_UNMOVED if untouched else 0.0
    return 0.0 if untouched else ASIDE_NOT


def takes(aside: Faces, die: SeenDie, rest: Sequence[SeenDie], carried: frozenset[int]) -> bool:
    """Whether this die is one of those that make up `aside`; of equal ones those that a hand has moved."""
    alike = [other for other in rest if other.value == die.value]
    alike.sort(key=lambda other: (other.track not in carried, other.rolled))
    return alike.index(die) < aside.count(die.value)
