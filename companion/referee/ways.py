"""What vision saw of each die, weighed: which dice may have been thrown, and which of the others lie aside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from companion.referee.sight import minus, near, overlap, values
from engine.dice import Faces, parts, together
from vision.seen import Reading, SeenDie

# Log chances.
LAY = -6.0  # a die that lay there before the throw, untouched, was thrown
LAY_COVERED = -1.8  # … and was out of sight meanwhile: another may have come to lie there
MOVED_IN_PLAY = -2.0  # a die was put elsewhere by a hand and stays in play
TURNED_IN_PLACE = -4.0  # a die that lies where one lay was thrown there
THE_SAME_AGAIN = -6.0  # … and shows what that one showed: it was lost from sight rather than thrown
SAME_SPOT = 0.25  # die widths
ASIDE_UNMOVED = -2.2  # where no kept row is known: a die nobody touched counts as set aside
ASIDE_NOT = -3.5  # … and one that a hand has put elsewhere does not
ASIDE_ADDED = -1.0  # … and one that was added
DOUBTED = 3.5  # a die is asked about both ways when its odds are smaller than this
MOST_DOUBTED = 4
MOST_WAYS = 24
LEAST = -9.0  # nothing less likely is looked at


@dataclass(frozen=True, slots=True)
class Rolled:
    """One die and how likely it was thrown since the last throw on record: log chances, the likelier of them 0."""

    die: SeenDie
    thrown: float
    not_thrown: float

    @property
    def odds(self) -> float:
        """Log odds of having been thrown."""
        return self.thrown - self.not_thrown


@dataclass(frozen=True, slots=True)
class Way:
    """One way to take what is seen: values of the dice that were thrown, that lie in play without having been thrown,
    and that lie aside; the log chance of what vision saw if it was so."""

    thrown: Faces
    lying: Faces
    kept: Faces
    cost: float


def rolled(die: SeenDie, throw: int, now: Reading, before: Reading | None) -> Rolled:
    """Was this die of `now` thrown since the throw on record? before: what lay there until then, as far as known."""
    old = () if before is None else before.dice
    if die.came is None:  # a source that says nothing about it: by where it lies
        lies = any(near(was, die) and was.value == die.value for was in old)
        return Rolled(die, LAY if lies else 0.0, 0.0)
    counted = now.throw > throw
    if die.came <= throw and (counted or any(was.track == die.track for was in old)):
        return Rolled(die, LAY if die.covered is None or die.covered <= throw else LAY_COVERED, 0.0)
    log_odds = math.log(max(die.rolled, 0.01) / max(1 - die.rolled, 0.01))
    beside = [was for was in old if near(was, die)]
    if now.knows_kept and not any(was.value == die.value for was in beside):
        log_odds -= MOVED_IN_PLAY
    if beside and not counted:
        log_odds += TURNED_IN_PLACE
    if any(was.value == die.value and near(was, die, SAME_SPOT) for was in beside):
        log_odds += THE_SAME_AGAIN
    return Rolled(die, min(0.0, log_odds), min(0.0, -log_odds))


def ways(dice: Sequence[Rolled], row: Faces) -> Iterator[Way]:
    """Ways to take the dice in play where the row of kept dice is known to hold `row`; the likeliest first."""
    yield from _cheapest(
        Way(values(thrown), values(lying), row, cost) for thrown, lying, cost in _divided(dice) if thrown
    )


@dataclass(frozen=True, slots=True)
class Handled:
    """What hands did since the last throw, where no row is known. landed: that throw as it came to lie; was_kept:
    tracks of dice that did not roll with it; aside: … of those carried elsewhere since; added: … laid down beside all
    that lay there."""

    landed: Reading | None
    was_kept: frozenset[int] = frozenset()
    aside: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()


def rowless_ways(dice: Sequence[Rolled], kept: Faces, handled: Handled) -> Iterator[Way]:
    """Ways to take all dice where no row is known. kept: values set aside on record."""
    yield from _cheapest(_rowless(dice, kept, handled))


def _rowless(dice: Sequence[Rolled], kept: Faces, handled: Handled) -> Iterator[Way]:
    for thrown, lying, cost in _divided(dice):
        if not thrown or cost < LEAST or overlap(kept, values(lying)) != kept:
            continue
        # What nobody threw and was not there has been turned or added: it lies where a hand put it, in play or not.
        made = made_by_hand(lying, handled.landed)
        rest = list(lying)
        for value in kept:  # those that lay aside already
            rest.remove(
                min((die for die in rest if die.value == value), key=lambda die: die.track not in handled.was_kept)
            )
        for in_play in parts(values(rest)):
            aside = minus(values(rest), in_play)
            takes = [_takes(aside, die, rest, handled.aside) for die in rest]
            price = cost + sum(_lies_aside(die, taken, made, handled) for die, taken in zip(rest, takes, strict=True))
            yield Way(values(thrown), in_play, together(kept, aside), price)


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


def _lies_aside(die: SeenDie, aside: bool, made: Faces, handled: Handled) -> float:
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


def _takes(aside: Faces, die: SeenDie, rest: Sequence[SeenDie], carried: frozenset[int]) -> bool:
    """Whether this die is one of those that make up `aside`; of equal ones those that a hand has moved."""
    alike = [other for other in rest if other.value == die.value]
    alike.sort(key=lambda other: (other.track not in carried, other.rolled))
    return alike.index(die) < aside.count(die.value)


def _divided(dice: Sequence[Rolled]) -> Iterator[tuple[tuple[SeenDie, ...], tuple[SeenDie, ...], float]]:
    """(thrown, not thrown, log chance): the likeliest, and every other taking of the most doubtful dice."""
    doubted = sorted((one for one in dice if abs(one.odds) < DOUBTED), key=lambda one: abs(one.odds))[:MOST_DOUBTED]
    for flips in product((False, True), repeat=len(doubted)):
        flipped = {one.die.track for one, flip in zip(doubted, flips, strict=True) if flip}
        yield _taken(dice, flipped)
    sure = [one for one in dice if one not in doubted]
    for one in sure:  # against the evidence: the rules may leave nothing else
        yield _taken(dice, {one.die.track})
    for pair in combinations(sure, 2):
        yield _taken(dice, {one.die.track for one in pair})
    yield _taken(dice, {one.die.track for one in dice if one.odds < 0})


def _taken(dice: Sequence[Rolled], flipped: set[int]) -> tuple[tuple[SeenDie, ...], tuple[SeenDie, ...], float]:
    thrown, lying, cost = [], [], 0.0
    for one in dice:
        if (one.odds >= 0) != (one.die.track in flipped):
            thrown.append(one.die)
            cost += one.thrown
        else:
            lying.append(one.die)
            cost += one.not_thrown
    return tuple(thrown), tuple(lying), cost


def _cheapest(found: Iterator[Way]) -> list[Way]:
    """Equal ways once, the likeliest first."""
    best: dict[tuple[Faces, Faces, Faces], Way] = {}
    for way in found:
        key = (way.thrown, way.lying, way.kept)
        if key not in best or best[key].cost < way.cost:
            best[key] = way
    return sorted(best.values(), key=lambda way: -way.cost)[:MOST_WAYS]
