"""Statistics of a finished game: dice, luck, cards by round, as plain numbers for charts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.record import Record
from engine.registry import SEATS
from engine.replay import Replay, rolled_faces


@dataclass(frozen=True, slots=True)
class Fairness:
    """Frequency of each face. `chance` is the p-value of a χ² test against fair dice (5 degrees of freedom)."""

    counts: tuple[int, int, int, int, int, int]
    chance: float | None

    @property
    def rolled(self) -> int:
        """Number of dice rolled."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Luck:
    """The mean of a player's dice; `error` is its standard error for fair dice."""

    name: str
    rolled: int
    average: float
    error: float


@dataclass(frozen=True, slots=True)
class CardsTaken:
    """The cards that each player took in one round; () for nothing."""

    round: int
    cards: tuple[tuple[str, ...], ...]


def fairness(record: Record) -> Fairness:
    """All dice of a game together. No p-value below 30 dice, which give five expected of each face."""
    counted = Counter(face for _, face in rolled_faces(record.game, record.entries))
    return fairness_of([counted[face] for face in range(1, 7)])


def fairness_of(counts: Sequence[int]) -> Fairness:
    """The fairness of dice with these counts by face from 1 to 6."""
    total = sum(counts)
    expected = total / 6
    chance = chi_squared_tail(sum((n - expected) ** 2 for n in counts) / expected) if total >= 30 else None
    return Fairness(tuple(counts), chance)  # type: ignore[arg-type]


def chi_squared_tail(x: float) -> float:
    """P(χ² with 5 degrees of freedom ≥ x), in closed form: erfc(√(x/2)) + √(2x/π)·e^(−x/2)·(1 + x/3)."""
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)


def luck(replay: Replay) -> tuple[Luck, ...]:
    """The mean of each player's dice; 3.5 for fair dice in the long run."""
    found = []
    record = replay.record
    for place, name in enumerate(record.players):
        faces = [face for seat, face in rolled_faces(record.game, record.entries) if seat == SEATS[place]]
        if faces:
            average = sum(faces) / len(faces)
            found.append(Luck(name, len(faces), average, math.sqrt(35 / 12 / len(faces))))
    return tuple(found)
