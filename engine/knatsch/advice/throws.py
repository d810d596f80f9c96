"""The best play of Knatsch's throws, exactly: what every way of keeping dice is worth.

A throw is one of the 462 multisets of six dice. What lies there after keeping is one of the 924 multisets of up to
six dice; adding dice one at a time makes the average over every throw of the rest a walk up through the sizes, and
"the best of all ways to keep" a walk back: taking one die away at a time, never a six. So a throw costs about 924 ×
12 additions instead of 462 × 64 × 462.

Values are integers in units of 6⁻⁶ for every throw still to come: with at most four throws (K4) they stay below 6²⁴
< 2⁶³, so int64 is exact. Floating point goes through the same code. Columns (the last axis) are independent
questions answered at once.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]  # int64 or float64, shape (multisets of one size, questions)
MOST_THROWS = 4
SCALE = 6**6

LYING = tuple(tuple(combinations_with_replacement(range(1, 7), size)) for size in range(7))
THROWS = LYING[6]  # the 462 multisets of six dice, each a sorted tuple
INDEX = {dice: number for dice_of_size in LYING for number, dice in enumerate(dice_of_size)}
# By size and by face: where the multisets lie that have one such die more.
_WITH_ONE_MORE = tuple(
    [np.array([INDEX[tuple(sorted((*dice, face)))] for dice in LYING[size]]) for face in range(1, 7)]
    for size in range(6)
)


def _without_one(dice: tuple[int, ...]) -> list[int]:
    """Where the multisets lie that miss one die of `dice`, for each face but the six; a row of zeros where there is
    none.
    """
    smaller = len(LYING[len(dice) - 1])
    found = []
    for face in range(1, 6):
        rest = list(dice)
        if face in rest:
            rest.remove(face)
        found.append(INDEX[tuple(rest)] if len(rest) < len(dice) else smaller)
    return found


_WITH_ONE_LESS = tuple(
    [np.array(smaller) for smaller in zip(*map(_without_one, LYING[size]), strict=True)] for size in range(1, 7)
)


def throw_the_rest(after: Values) -> list[Values]:
    """What each multiset of kept dice (by size 0..6) is worth when the rest is thrown; `after` (462, n): what each
    throw is worth.

    In units of 6⁻⁶ of those of `after`, whatever the number of dice thrown.
    """
    worth = [after]
    for size in range(5, -1, -1):
        first, *others = _WITH_ONE_MORE[size]
        total = worth[-1].take(first, axis=0)
        for more in others:
            total += worth[-1].take(more, axis=0)
        worth.append(total)
    worth.reverse()
    return [values * 6**size for size, values in enumerate(worth)]


def best_keep(after: Values) -> Values:
    """What each of the 462 throws is worth (462, n) when any dice but sixes may be thrown once more, `after` being
    what follows.
    """
    keeping = throw_the_rest(after)
    best = keeping[0]
    for size in range(1, 7):
        fewer = np.concatenate([best, np.zeros_like(best[:1])])
        best = keeping[size]
        for less in _WITH_ONE_LESS[size - 1]:
            best = np.maximum(best, fewer.take(less, axis=0))
    return best


def with_throws_left(payoff: Values, throws: int) -> Values:
    """What each of the 462 throws is worth with so many throws left (0..4), in units of 6^(-6·throws); `payoff`
    (462, n) at the end.
    """
    if not 0 <= throws <= MOST_THROWS:
        raise ValueError(f"there are 0 to {MOST_THROWS} throws, not {throws}")
    for _ in range(throws):
        payoff = best_keep(payoff)
    return payoff


def nothing_thrown(payoff: Values, throws: int) -> Values:
    """What a whole attempt (1..4 throws, the first with all six dice) is worth, shape (n,), in units of
    6^(-6·throws).
    """
    whole: Values = throw_the_rest(with_throws_left(payoff, throws - 1))[0][0]
    return whole


def nothing_thrown_following(lead: Values, follow: Values, throws: int) -> Values:
    """Like `nothing_thrown` for payoffs (462, n) when the dice are kept for `lead`: what `follow` then comes to, (n,).
    Of ways to keep that are equally good for `lead` the one that keeps most dice."""
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
