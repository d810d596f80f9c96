"""The advisor against other players, so that few games tell much.

A set of games has the same dice in every seat and round, and the advisor sits in each seat once: what is in the dice
and the seats falls on both sides alike. What is left of luck is known: every turn's result is worth something to who
played it, and so was the turn when it began; the differences have mean 0 (`Pricing.luck`), and how much of the share
won goes with them is taken out by least squares (control variates; J. M. Hammersley and D. C. Handscomb, Monte Carlo
Methods, 1964, chapter 5). Both are reported: the share as it is, and without luck.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from engine.dice import Faces

_NORMAL_95 = 1.96


@dataclass(slots=True)
class Match:
    """The advisor against one kind of opponent in every other seat. sets: of each, the games
    the advisor won (of one for every seat), then its luck before and after the claim, then its opponents'."""

    players: int
    opponent: str
    ruleset: str
    sets: list[list[float]] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.sets) * self.players

    @property
    def share(self) -> tuple[float, float]:
        """Of the games won, and the half of its 95 % interval, from the spread of the sets."""
        return self._fitted(np.ones((len(self.sets), 1)))

    @property
    def without_luck(self) -> tuple[float, float]:
        """The same with the luck of both sides taken out."""
        luck = np.array(self.sets)[:, 1:]
        told = luck[:, luck.any(axis=0)]
        return self._fitted(np.concatenate([np.ones((len(luck), 1)), told], axis=1))

    def _fitted(self, columns: NDArray[np.float64]) -> tuple[float, float]:
        """The first coefficient of least squares over the sets, and the half of its 95 % interval."""
        won = np.array(self.sets)[:, 0] / self.players
        found = np.linalg.lstsq(columns, won, rcond=None)[0]
        left = won - columns @ found
        spread = sqrt(float(left @ left) / max(1, len(won) - columns.shape[1]))
        return float(found[0]), _NORMAL_95 * spread / sqrt(len(won))

    def __str__(self) -> str:
        (share, half), (fair, fair_half) = self.share, self.without_luck
        known = np.array(self.sets)[:, 1:].any()  # what was luck
        without = f", without luck {fair:.1%} ± {fair_half:.1%}" if known else ""
        return (
            f"advisor against {self.opponent} ({self.ruleset}): {share:.1%} ± {half:.1%} of {self.games} games of "
            f"{self.players}{without} (95 %; even would be {1 / self.players:.0%})"
        )


class SeatDice:
    """Dice that depend on the seat and the round alone: who rolls them, and what was rolled before, does not matter."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._generator = random.Random(seed)

    def __call__(self, count: int) -> Faces:
        return thrower(self._generator)(count)

    def begin(self, turn: str) -> None:
        """A turn of this name begins."""
        self._generator = random.Random(f"{self._seed}/{turn}")


def thrower(generator: random.Random) -> Callable[[int], Faces]:
    """Dice thrown with this generator."""
    return lambda count: tuple(sorted(generator.randint(1, 6) for _ in range(count)))
