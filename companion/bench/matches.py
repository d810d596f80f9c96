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
from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.advice.worth import worth_table
from companion.bench.parallel_games import side_by_side
from engine.dice import Faces
from engine.krone.advice.opponents import DiceFirst, OneTurnAhead
from engine.krone.advice.players import Advised, HighestRow, Player, Pricing, play_game
from engine.krone.state import RULESETS, State, new_game

OPPONENTS: dict[str, Callable[[], Player]] = {
    "highest card": HighestRow,
    "dice first": DiceFirst,
    "one turn ahead": OneTurnAhead,
}
_NORMAL_95 = 1.96


@dataclass(slots=True)
class Match:
    """The advisor against one kind of opponent (a name in `OPPONENTS`) in every other seat. sets: of each, the games
    the advisor won (of one for every seat), then its luck before and after the claim, then its opponents'."""

    players: int
    opponent: str = "highest card"
    ruleset: str = "amigo2006"
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
        known = np.array(self.sets)[:, 1:].any()  # what was luck; nobody counts it in Knatsch
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

    def turn(self, state: State) -> None:
        """A turn of Um Krone und Kragen begins."""
        self.begin(f"{state.seat}/{state.round}/{state.final}")

    def begin(self, turn: str) -> None:
        """A turn of this name begins."""
        self._generator = random.Random(f"{self._seed}/{turn}")


def thrower(generator: random.Random) -> Callable[[int], Faces]:
    """Dice thrown with this generator."""
    return lambda count: tuple(sorted(generator.randint(1, 6) for _ in range(count)))


def match(found: Match, games: int, seed: int, keep: Path | None = None, processes: int = 2) -> Match:
    """Plays so many games, rounded up to whole sets. keep: folder for the sets played so far."""
    name = f"seed{seed}-{found.opponent.replace(' ', '-')}-{found.ruleset}-sets-of{found.players}.jsonl"
    play = partial(_set, found.opponent, found.ruleset, found.players, seed)
    file = keep / name if keep is not None else None
    found.sets += side_by_side(play, -(-games // found.players), file, processes)
    return found


def _set(opponent: str, ruleset: str, players: int, seed: int, number: int) -> list[float]:
    """The games the advisor wins of as many as there are seats, and everybody's luck in them."""
    found = np.zeros(5)
    for seat in range(players):
        dice = SeatDice(f"{seed}/{players}/{number}")

        def enough(state: State, dice: SeatDice = dice) -> bool:
            dice.turn(state)
            return state.finished

        advised, others = Advised(worth_table()), OPPONENTS[opponent]()
        seats = [advised if place == seat else others for place in range(players)]
        end = play_game(new_game(players, RULESETS[ruleset]), seats, dice, enough=enough)
        theirs = others.luck if isinstance(others, Pricing) else [0.0, 0.0]
        found += [end.winner == end.seats[seat], *advised.luck, *theirs]
    return [round(number, 6) for number in found.tolist()]
