"""What two pictures of the table say about each other and about the dice a story expects."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations

from engine.dice import Faces
from vision.types import Reading, SeenDie

SAME_PLACE = 0.5  # in die widths: a die that has moved less lies where it lay
SAME_SPOT = 0.12  # … for certain: of 85,000 dice left lying none seemed to have moved so much, thrown ones all but do
MISTAKEN = -2.0  # log chance that a voted value is wrong although nothing says so, beyond its own probability
SURE_DIE = 0.9  # a die of a roll whose voted value has less chance than this is asked about
NEVER = -60.0  # log chance of what cannot be


def values(dice: Iterable[SeenDie]) -> Faces:
    """Likeliest values as Faces."""
    return tuple(sorted(die.value for die in dice))


def lying_still(before: Reading | None, now: Reading) -> frozenset[int]:
    """Tracks of the dice in `now` that lie, with the same value, where a die lay in `before`."""
    if before is None:
        return frozenset()
    return frozenset(
        die.track for die in now.dice if any(old.value == die.value and near(old, die) for old in before.dice)
    )


def near(one: SeenDie, other: SeenDie, reach: float = SAME_PLACE) -> bool:
    """Whether two dice of different readings lie in one place, at most `reach` die widths apart."""
    width = max(1.0, (other.xyxy[2] - other.xyxy[0] + other.xyxy[3] - other.xyxy[1]) / 2)
    dx = (one.xyxy[0] + one.xyxy[2] - other.xyxy[0] - other.xyxy[2]) / 2
    dy = (one.xyxy[1] + one.xyxy[3] - other.xyxy[1] - other.xyxy[3]) / 2
    return math.hypot(dx, dy) < reach * width


def minus(pool: Faces, part: Faces) -> Faces:
    """`pool` without the dice of `part` that are in it."""
    rest = list(pool)
    for face in part:
        if face in rest:
            rest.remove(face)
    return tuple(rest)


def overlap(one: Faces, other: Faces) -> Faces:
    """The largest multiset contained in both."""
    return minus(one, minus(one, other))


def log_chance(dice: tuple[SeenDie, ...], expected: Faces) -> float:
    """Log chance of the best way the dice can show `expected`; NEVER when more than three differ from what they
    seem."""
    if len(dice) != len(expected):
        return NEVER
    seen = values(dice)
    total = sum(math.log(max(die.confidence, 1e-9)) for die in dice)
    wrong, right = minus(seen, expected), minus(expected, seen)
    if not wrong:
        return total
    if len(wrong) > 3:
        return NEVER
    return total + max(_flips(dice, wrong, order) for order in set(permutations(right)))


def _flips(dice: tuple[SeenDie, ...], wrong: Faces, right: tuple[int, ...]) -> float:
    """Log ratio of chances when for each value in `wrong` the likeliest die that seems so shows that in `right`."""
    left = list(dice)
    total = 0.0
    for seems, is_ in zip(wrong, right, strict=True):
        die = max((d for d in left if d.value == seems), key=lambda d: d.probabilities[is_ - 1])
        left.remove(die)
        total += math.log(max(die.probabilities[is_ - 1], 1e-6) / max(die.confidence, 1e-9))
        total += MISTAKEN if die.confidence >= SURE_DIE else 0.0  # what is doubtful says so itself
    return total
