"""What a standing is worth: everybody's chance to win, by a small network that learned from games.

Every player has a score: a weighted sum of the numbers that describe her standing (`standing`), and a correction by two
layers of rectified units; the chances to win are the softmax of the scores. The weights are made by scripts/selfplay.py
(models/worth.json, its card docs/worth.md); whoever asks passes them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.advice.standing import FEATURES, Numbers, Standings
from engine.advice.waits import Wait as Wait
from engine.advice.waits import waits as waits
from engine.krone.cards import CARDS, START_DICE
from engine.krone.state import HAND


@dataclass(frozen=True, slots=True)
class Worth:
    """The weights: linear (F,), first (F, h), first_bias (h,), second (h, k), second_bias (k,), last (k,)."""

    linear: Numbers
    first: Numbers
    first_bias: Numbers
    second: Numbers
    second_bias: Numbers
    last: Numbers

    @classmethod
    def of(cls, weights: Mapping[str, Numbers]) -> Worth:
        """From the weights by name; the names and shapes are those above."""
        return cls(**{name: np.asarray(weights[name], float) for name in cls.__slots__})

    @classmethod
    def even(cls) -> Worth:
        """Knows nothing: everybody's chance is the same."""
        shapes = ((FEATURES,), (FEATURES, 1), (1,), (1, 1), (1,), (1,))
        return cls(*(np.zeros(shape) for shape in shapes))

    def chances(self, standings: Standings) -> Numbers:
        """(rows, players): every player's chance to win; each row adds up to 1."""
        numbers = standings.numbers()
        hidden = np.maximum(numbers @ self.first + self.first_bias, 0)
        hidden = np.maximum(hidden @ self.second + self.second_bias, 0)
        scores = numbers @ self.linear + hidden @ self.last
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        found: Numbers = powers / powers.sum(-1, keepdims=True)
        return found


def dice_of(cards: tuple[str, ...]) -> tuple[int, int]:
    """(dice the turn starts with, all dice with every adder)."""
    start = HAND + sum(START_DICE.get(card, 0) for card in cards)
    return start, start + sum(CARDS[card].ability == "add" for card in cards)
