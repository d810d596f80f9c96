"""The advisor against other players, so that few games tell much: a set of games has the same dice in every seat and
round, and the advisor sits in each seat once.

Whatever is in the dice and the seats falls on both sides alike, so the shares won in the sets spread less than those of
as many games with dice of their own; the interval is that of the sets' mean.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path

from companion.advice.worth import worth_table
from companion.bench.parallel_games import side_by_side
from engine.advice.opponents import DiceFirst, OneTurnAhead
from engine.advice.players import Advised, HighestRow, Player, play_game
from engine.dice import Faces
from engine.krone.state import RULESETS, State, new_game

OPPONENTS: dict[str, Callable[[], Player]] = {
    "highest card": HighestRow,
    "dice first": DiceFirst,
    "one turn ahead": OneTurnAhead,
}
_NORMAL_95 = 1.96


@dataclass(slots=True)
class Match:
    """The advisor against one kind of opponent (a name in `OPPONENTS`) in every other seat. won: of each set, a game
    for every seat of the advisor, the number it won."""

    players: int
    opponent: str = "highest card"
    ruleset: str = "amigo2006"
    won: list[int] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.won) * self.players

    @property
    def share(self) -> float:
        """Of the games won."""
        return sum(self.won) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, from the spread of the sets."""
        mean = sum(self.won) / len(self.won)
        spread = sqrt(sum((won - mean) ** 2 for won in self.won) / max(1, len(self.won) - 1))
        half = _NORMAL_95 * spread / sqrt(len(self.won)) / self.players
        return max(0.0, self.share - half), min(1.0, self.share + half)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"advisor against {self.opponent} ({self.ruleset}): {self.share:.1%} of {self.games} games of "
            f"{self.players} in {len(self.won)} sets with the same dice, 95 % {low:.1%} to {high:.1%} "
            f"(even would be {1 / self.players:.0%})"
        )


class SeatDice:
    """Dice that depend on the seat and the round alone: who rolls them, and what was rolled before, does not matter."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._generator = random.Random(seed)

    def __call__(self, count: int) -> Faces:
        return thrower(self._generator)(count)

    def turn(self, state: State) -> None:
        """A turn begins."""
        self._generator = random.Random(f"{self._seed}/{state.seat}/{state.round}/{state.final}")


def thrower(generator: random.Random) -> Callable[[int], Faces]:
    """Dice thrown with this generator."""
    return lambda count: tuple(sorted(generator.randint(1, 6) for _ in range(count)))


def match(found: Match, games: int, seed: int, keep: Path | None = None, processes: int = 2) -> Match:
    """Plays so many games, rounded up to whole sets. keep: folder for the sets played so far."""
    name = f"seed{seed}-{found.opponent.replace(' ', '-')}-{found.ruleset}-sets-of{found.players}.jsonl"
    play = partial(_set, found.opponent, found.ruleset, found.players, seed)
    file = keep / name if keep is not None else None
    found.won += side_by_side(play, -(-games // found.players), file, processes)
    return found


def _set(opponent: str, ruleset: str, players: int, seed: int, number: int) -> int:
    """The games the advisor wins of as many as there are seats."""
    won = 0
    for seat in range(players):
        dice = SeatDice(f"{seed}/{players}/{number}")

        def enough(state: State, dice: SeatDice = dice) -> bool:
            dice.turn(state)
            return state.finished

        advised, others = Advised(worth_table()), OPPONENTS[opponent]()
        seats = [advised if place == seat else others for place in range(players)]
        end = play_game(new_game(players, RULESETS[ruleset]), seats, dice, enough=enough)
        won += end.winner == end.seats[seat]
    return won
