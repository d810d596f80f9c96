"""Exact optimal play of throws in Knatsch: the value of every way to keep dice.

A result is one of the 462 multisets of six dice; the dice kept are one of the 924 multisets of up to six dice. Adding
dice one at a time makes the average over all rolls a walk up through the sizes. Removing one die at a time, never a
six, makes the maximum over all ways to keep a walk back. So a throw costs about 924 × 12 additions instead of 462 × 64
× 462.

Values are integers in units of 6⁻⁶ for every throw still to come: with at most four throws (K4) they stay below 6²⁴ <
2⁶³, so int64 is exact. The same code takes floating point. Columns (the last axis) are independent questions answered
at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.advice.kept_dice import KeptDice

Values = NDArray[Any]  # int64 or float64, shape (multisets of one size, questions)
MAX_THROWS = 4
SCALE = 6**6

_KEPT = KeptDice(6)
KEPT_SETS = _KEPT.sets
THROWS = KEPT_SETS[6]  # the 462 multisets of six dice, each a sorted tuple
INDEX = {dice: number for places in _KEPT.place for dice, number in places.items()}


def _without_one(dice: tuple[int, ...]) -> list[int]:
    """Indices of the multisets without one die of `dice`, for each face but the six; a row of zeros if there is
    none."""
    smaller = len(KEPT_SETS[len(dice) - 1])
    found = []
    for face in range(1, 6):
        rest = list(dice)
        if face in rest:
            rest.remove(face)
        found.append(INDEX[tuple(rest)] if len(rest) < len(dice) else smaller)
    return found


_WITH_ONE_LESS = tuple(
    [np.array(smaller) for smaller in zip(*map(_without_one, KEPT_SETS[size]), strict=True)] for size in range(1, 7)
)


def throw_the_rest(after: Values) -> list[Values]:
    """The value of each multiset of kept dice (by size 0..6) if the rest is rolled.

    Args:
        after: (462, n) value of each result.

    Returns:
        Values in units of 6⁻⁶ of those of `after`, whatever the number of dice rolled.
    """
    return [values * 6**size for size, values in enumerate(_KEPT.rolled(after))]


def best_keep(after: Values) -> Values:
    """(462, n) the value of each result if any dice but sixes may be rolled once more."""
    keeping = throw_the_rest(after)
    best = keeping[0]
    for size in range(1, 7):
        fewer = np.concatenate([best, np.zeros_like(best[:1])])
        best = keeping[size]
        for less in _WITH_ONE_LESS[size - 1]:
            best = np.maximum(best, fewer.take(less, axis=0))
    return best


def with_throws_left(payoff: Values, throws: int) -> Values:
    """(462, n) the value of each result with 0..4 throws left, in units of 6^(−6·throws).

    Args:
        payoff: (462, n) the value at the end.
    """
    if not 0 <= throws <= MAX_THROWS:
        raise ValueError(f"there are 0 to {MAX_THROWS} throws, not {throws}")
    for _ in range(throws):
        payoff = best_keep(payoff)
    return payoff


def attempt_value(payoff: Values, throws: int) -> Values:
    """(n,) the value of a whole attempt of 1..4 throws, the first with all six dice, in units of 6^(−6·throws)."""
    whole: Values = throw_the_rest(with_throws_left(payoff, throws - 1))[0][0]
    return whole


def attempt_value_following(lead: Values, follow: Values, throws: int) -> Values:
    """(n,) like `attempt_value`, the value of payoff `follow` if the dice are kept for payoff `lead`. Among equally
    good ways to keep for `lead`, the one that keeps most dice counts."""
    for _ in range(throws - 1):
        leading, following = throw_the_rest(lead), throw_the_rest(follow)
        lead, follow = leading[0], following[0]
        for size in range(1, 7):
            fewer = np.concatenate([lead, np.full_like(lead[:1], -1)])
            led = np.concatenate([follow, follow[:1]])
            lead, follow = leading[size].copy(), following[size].copy()
            for less in _WITH_ONE_LESS[size - 1]:
                other = fewer.take(less, axis=0)
                better = other > lead
                np.copyto(lead, other, where=better)
                np.copyto(follow, led.take(less, axis=0), where=better)
        lead, follow = lead / SCALE, follow / SCALE
    whole: Values = throw_the_rest(follow)[0][0] / SCALE
    return whole
