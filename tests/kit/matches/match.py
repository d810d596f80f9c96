"""The advisor against other players, with variance reduction so that few games are enough.

A set of games has the same dice in every seat and round, and the advisor plays each seat once, so luck of dice and
seats affects both sides alike. The rest is reduced by control variates (J. M. Hammersley and D. C. Handscomb, Monte
Carlo Methods, 1964, chapter 5): every turn's price minus its expectation has mean 0 (`Pricing.luck`), and its effect on
the share of wins is removed by least squares. Both figures are reported.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.dice import Faces
from tests.kit.matches.parallel_games import in_parallel

_NORMAL_95 = 1.96


@dataclass(slots=True)
class MatchResult:
    """The advisor against one kind of opponent (a name in `OPPONENTS`) in every other seat.

    Attributes:
        sets: For each set, in which the advisor plays once in each seat: games it won, its luck before and after the
            claim, and the opponents' luck before and after it.
    """

    players: int
    opponent: str
    ruleset: str
    sets: list[list[float]] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.sets) * self.players

    @property
    def share(self) -> tuple[float, float]:
        """Share of games won, and half of its 95 % interval, from the spread of the sets."""
        return self._fitted(np.ones((len(self.sets), 1)))

    @property
    def without_luck(self) -> tuple[float, float]:
        """Share of games won with the luck of both sides removed, and half of its 95 % interval."""
        luck = np.array(self.sets)[:, 1:]
        columns = luck[:, luck.any(axis=0)]
        return self._fitted(np.concatenate([np.ones((len(luck), 1)), columns], axis=1))

    def _fitted(self, columns: NDArray[np.float64]) -> tuple[float, float]:
        """The intercept of the least squares fit over the sets, and half of its 95 % interval."""
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


def play_matches(
    found: MatchResult,
    play: Callable[[int], list[float]],
    games: int,
    seed: int,
    keep: Path | None = None,
    processes: int = 2,
) -> MatchResult:
    """Plays this many games, rounded up to whole sets.

    Args:
        play: Number of a set → its row of `MatchResult.sets`; picklable.
        keep: A folder for completed sets.
    """
    name = f"seed{seed}-{found.opponent.replace(' ', '-')}-{found.ruleset}-sets-of{found.players}.jsonl"
    found.sets += in_parallel(play, -(-games // found.players), keep and keep / name, processes)
    return found


class SeatDice:
    """Dice that depend only on seat and round, not on earlier rolls."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._generator = random.Random(seed)

    def __call__(self, count: int) -> Faces:
        return dice_roller(self._generator)(count)

    def begin(self, turn: str) -> None:
        """Starts a turn of this name."""
        self._generator = random.Random(f"{self._seed}/{turn}")


def dice_roller(generator: random.Random) -> Callable[[int], Faces]:
    """A function that rolls dice with this generator."""
    return lambda count: tuple(sorted(generator.randint(1, 6) for _ in range(count)))
