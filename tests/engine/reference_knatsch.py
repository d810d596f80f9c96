"""A brute-force solver for Knatsch: probabilities directly from the rules, slow. The oracle for engine/knatsch/advice.

It shares no code with the fast solver: results are compared by counting again, every way to keep dice is tried, and
every ordered throw of the others is averaged. Probabilities are Fractions, or floats for a float payoff.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TypeVar

Dice = tuple[int, ...]
Result = tuple[int, int, int]
Number = TypeVar("Number", Fraction, float)


@cache
def worth(dice: Dice, cards: Dice = ()) -> Result:
    """(group, value, reserve) by looking at the sorted groups."""
    count = Counter(face for face in (*dice, *cards) if face != 6)
    groups = sorted(((n, face) for face, n in count.items()), reverse=True)
    if not groups:
        return 0, 0, 0
    return groups[0][0], groups[0][1], max((face for _, face in groups[1:]), default=0)


@cache
def throws_of(number: int) -> tuple[tuple[Dice, int], ...]:
    return tuple(Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=number)).items())


class Solver:
    """Best play for a payoff: `value(dice, rolls)` with all six dice on the table, `fresh(rolls)` before the first
    roll."""

    def __init__(self, payoff: Callable[[Dice], Number]) -> None:
        self.payoff = payoff
        self.value = cache(self._value)
        self.keeping = cache(self._keeping)

    def _value(self, dice: Dice, throws: int) -> Number:
        best = self.payoff(dice)
        if throws:
            sixes = tuple(face for face in dice if face == 6)
            others = tuple(face for face in dice if face != 6)
            for size in range(len(others)):
                for keep in set(combinations(others, size)):
                    best = max(best, self.keeping(keep + sixes, throws))
        return best

    def _keeping(self, kept: Dice, throws: int) -> Number:
        rest = 6 - len(kept)
        total = sum(
            (self.value(tuple(sorted(kept + roll)), throws - 1) * ways for roll, ways in throws_of(rest)),
            start=self.payoff((1,) * 6) * 0,
        )
        return total / 6**rest

    def fresh(self, throws: int) -> Number:
        return self.keeping((), throws)


def beat(target: Result, cards: Dice = ()) -> Solver:
    return Solver(lambda dice: Fraction(worth(dice, cards) > target))
