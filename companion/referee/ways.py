"""What vision saw of each die, weighed: which dice may have been thrown, and which of the others lie aside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from companion.referee.aside import Handled, lies_aside, made_by_hand, rolled_there, takes
from companion.referee.sight import SAME_SPOT, minus, near, overlap, values
from engine.dice import Faces, parts, together
from vision.tracking.boxes import corner_moved, width
from vision.types import Reading, SeenDie

# Log chances.
LAY = -6.0  # a die that lay there before the throw, untouched, was thrown
# … and was out of sight meanwhile. Another that shows the same may have come to lie within a fifth of a die of there,
# unseen: on a table of 70 dice by area, once in some thousand throws.
LAY_COVERED = -5.0
# Of a die that another hides in part the box is smaller, at least so many times, and one of its corners stays where it
# was, but for so much of its width.
OTHER_SIZE, SAME_CORNER = 1.08, 0.12
LAY_NEARLY = -1.8  # … and is not quite where it was
LAY_BESIDE = -0.7  # one that was out of sight and is surely not where it was has been pushed, or another lies there
MOVED_IN_PLAY = -2.0  # a die was put elsewhere by a hand and stays in play
TURNED_IN_PLACE = -4.0  # a die that lies where one lay was thrown there
THE_SAME_SPOT = -6.0  # … to a hair: it was lost from sight, or turned, rather than thrown
TOGETHER = 0.25  # nobody saw a throw: what that costs counts once, and this part of it for each further die of it
DOUBTED = 3.5  # a die is asked about both ways when its odds are smaller than this
MOST_DOUBTED = 4
MOST_WAYS = 24
LEAST = -9.0  # nothing less likely is looked at


@dataclass(frozen=True, slots=True)
class Rolled:
    """One die and how likely it was thrown since the last throw on record: log chances, the likelier of them 0.

    unseen: what of `thrown` is due to nobody having seen it roll.
    """

    die: SeenDie
    thrown: float
    not_thrown: float
    unseen: float = 0.0

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
    if die.came <= throw and (counted or any(was.track == die.track and _left(was, die) for was in old)):
        return _left_lying(die, throw, next((was for was in old if was.track == die.track), None))
    log_odds = seen = math.log(max(die.rolled, 0.01) / max(1 - die.rolled, 0.001))
    beside = [was for was in old if near(was, die)]
    if now.knows_kept and not any(was.value == die.value for was in beside):
        log_odds -= MOVED_IN_PLAY
    if beside and not counted:
        log_odds += TURNED_IN_PLACE
    if any(near(was, die, SAME_SPOT) for was in beside):
        log_odds += THE_SAME_SPOT
    return Rolled(die, min(0.0, log_odds), min(0.0, -log_odds), max(min(0.0, seen), min(0.0, log_odds)))


def _left_lying(die: SeenDie, throw: int, was: SeenDie | None) -> Rolled:
    """A die that seems to lie where it `was` before the throw."""
    if die.covered is None or die.covered <= throw:
        return Rolled(die, LAY, 0.0)
    if was is None or near(was, die, SAME_SPOT / 2) or _partly_seen(was, die):
        return Rolled(die, LAY_COVERED, 0.0)
    return Rolled(die, LAY_NEARLY, 0.0) if near(was, die, SAME_SPOT) else Rolled(die, 0.0, LAY_BESIDE)


def _partly_seen(was: SeenDie, die: SeenDie) -> bool:
    """Whether only more or less of it is seen than before."""
    widths = width(was.xyxy), width(die.xyxy)
    return max(widths) > OTHER_SIZE * min(widths) and corner_moved(was.xyxy, die.xyxy) <= SAME_CORNER


def _left(was: SeenDie, die: SeenDie) -> bool:
    """Whether a die may have been left as it lay: it shows what it showed, or lies where it lay."""
    return was.value == die.value or near(was, die)


def ways(dice: Sequence[Rolled], row: Faces) -> Iterator[Way]:
    """Ways to take the dice in play where the row of kept dice is known to hold `row`; the likeliest first."""
    yield from _cheapest(
        Way(values(thrown), values(lying), row, cost) for thrown, lying, cost in _divided(dice) if thrown
    )


def rowless_ways(dice: Sequence[Rolled], kept: Faces, handled: Handled) -> Iterator[Way]:
    """Ways to take all dice where no row is known. kept: values set aside on record."""
    yield from _cheapest(_rowless(dice, kept, handled))


def _rowless(dice: Sequence[Rolled], kept: Faces, handled: Handled) -> Iterator[Way]:
    for thrown, lying, cost in _divided(dice):
        if not thrown or cost < LEAST or overlap(kept, values(lying)) != kept:
            continue
        # What nobody threw and was not there has been turned or added: it lies where a hand put it, in play or not.
        made = made_by_hand(lying, handled.landed)
        cost += rolled_there(thrown, lying, handled)
        rest = list(lying)
        for value in kept:  # those that lay aside already
            rest.remove(
                min((die for die in rest if die.value == value), key=lambda die: die.track not in handled.was_kept)
            )
        for in_play in parts(values(rest)):
            aside = minus(values(rest), in_play)
            taken = [takes(aside, die, rest, handled.aside) for die in rest]
            price = cost + sum(lies_aside(die, its, made, handled) for die, its in zip(rest, taken, strict=True))
            yield Way(values(thrown), in_play, together(kept, aside), price)


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
    unseen: list[float] = []
    for one in dice:
        if (one.odds >= 0) != (one.die.track in flipped):
            thrown.append(one.die)
            unseen.append(one.unseen)
            cost += one.thrown
        else:
            lying.append(one.die)
            cost += one.not_thrown
    return tuple(thrown), tuple(lying), cost - (1 - TOGETHER) * (sum(unseen) - min(unseen, default=0.0))


def _cheapest(found: Iterator[Way]) -> list[Way]:
    """Equal ways once, the likeliest first."""
    best: dict[tuple[Faces, Faces, Faces], Way] = {}
    for way in found:
        key = (way.thrown, way.lying, way.kept)
        if key not in best or best[key].cost < way.cost:
            best[key] = way
    return sorted(best.values(), key=lambda way: -way.cost)[:MOST_WAYS]
