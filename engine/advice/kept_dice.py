"""Values of keeping some dice and rolling the others, for all multisets of dice at once.

The multisets of up to n dice form a lattice. Kept dice are worth the mean over the next die, size by size; the best
dice to keep are the maximum over one die less, size by size. So no transition matrix is needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dice import Faces, rolls, union, without

Numbers = NDArray[Any]


class KeptDice:
    """The lattice of n dice.

    Attributes:
        sets: The multisets by size, 0 to n.
        place: For each size, multiset → its place in `sets`.
    """

    def __init__(self, dice: int) -> None:
        self.sets: tuple[tuple[Faces, ...], ...] = tuple(rolls(size) for size in range(dice + 1))
        self.place = tuple({one: i for i, one in enumerate(sets)} for sets in self.sets)
        self._more = [np.array([self._one_more(one) for one in self.sets[size]]) for size in range(dice)]
        self._less = [np.array([self._one_less(one) for one in self.sets[size]]) for size in range(dice + 1)]

    def _one_more(self, dice: Faces) -> list[int]:
        return [self.place[len(dice) + 1][union(dice, (face,))] for face in range(1, 7)]

    def _one_less(self, dice: Faces) -> list[int]:
        return [self.place[len(dice) - 1][without(dice, (face,)) or ()] for face in dice]

    def rolled(self, values: Numbers) -> list[Numbers]:
        """Sums over all rolls of the other dice for each kept multiset, by size.

        Args:
            values: [result of all dice, question] → its value.
        """
        levels = [values]
        for more in reversed(self._more):
            total = levels[-1].take(more[:, 0], axis=0)
            for face in range(1, 6):
                total += levels[-1].take(more[:, face], axis=0)
            levels.append(total)
        return levels[::-1]

    def best(self, levels: list[Numbers]) -> Numbers:
        """For each result of all dice the largest value of a multiset it contains. Overwrites `levels`."""
        best = levels[0]
        for found, less in zip(levels[1:], self._less[1:], strict=True):
            for die in range(less.shape[1]):
                np.maximum(found, best[less[:, die]], out=found)
            best = found
        return best
