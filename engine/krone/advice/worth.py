"""What a standing is worth: everybody's chance to win, by a small network that learned from games.

Every player has a score: a weighted sum of the numbers that describe her standing (`standing`), and a correction by two
layers of rectified units; the chances to win are the softmax of the scores. Until the King is claimed the scores are
multiplied by how much a lead counts then, which depends on the number of players and on how many cards they have. The
weights are made by scripts/selfplay.py, what leads count by scripts/calibration.py (models/worth.json, its card
models/worth.md); whoever asks passes them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.krone.advice.standing import FEATURES, Numbers, Standings
from engine.krone.advice.waits import Wait as Wait
from engine.krone.advice.waits import waits as waits
from engine.krone.cards import CARDS, START_DICE
from engine.krone.state import BASE_DICE

MANY_CARDS = 6  # each player's, from which on leads count alike


@dataclass(frozen=True, slots=True)
class Worth:
    """The weights: linear (F,), first (F, h), first_bias (h,), second (h, k), second_bias (k,), last (k,); sharpness
    (4, 2): for two to five players the logarithm of what the scores are multiplied by before anybody has a card, and
    what MANY_CARDS each add to it."""

    linear: Numbers
    first: Numbers
    first_bias: Numbers
    second: Numbers
    second_bias: Numbers
    last: Numbers
    sharpness: Numbers

    @classmethod
    def of(cls, weights: Mapping[str, Numbers]) -> Worth:
        """From the weights by name; the names and shapes are those above. Without `sharpness` scores count as they
        are."""
        known = {"sharpness": np.zeros((4, 2)), **weights}
        return cls(**{name: np.asarray(known[name], float) for name in cls.__slots__})

    @classmethod
    def even(cls) -> Worth:
        """Knows nothing: everybody's chance is the same."""
        shapes = ((FEATURES,), (FEATURES, 1), (1,), (1, 1), (1,), (1,), (4, 2))
        return cls(*(np.zeros(shape) for shape in shapes))

    def chances(self, standings: Standings) -> Numbers:
        """(rows, players): every player's chance to win; each row adds up to 1."""
        numbers = standings.numbers()
        hidden = np.maximum(numbers @ self.first + self.first_bias, 0)
        hidden = np.maximum(hidden @ self.second + self.second_bias, 0)
        scores = numbers @ self.linear + hidden @ self.last
        always, by_cards = self.sharpness[standings.cards.shape[1] - 2]
        open_ = standings.claim[:, :1, 0] == 0
        scores *= np.where(open_, np.exp(always + by_cards * share_of_cards(standings.cards)[:, None]), 1.0)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        found: Numbers = powers / powers.sum(-1, keepdims=True)
        return found


def share_of_cards(cards: Numbers) -> Numbers:
    """(rows,): how many cards the players have, of MANY_CARDS each, at most 1. cards: (rows, players, kinds)."""
    found: Numbers = np.minimum(cards.sum((1, 2)) / cards.shape[1] / MANY_CARDS, 1.0)
    return found


def dice_of(cards: tuple[str, ...]) -> tuple[int, int]:
    """(dice the turn starts with, all dice with every adder)."""
    start = BASE_DICE + sum(START_DICE.get(card, 0) for card in cards)
    return start, start + sum(CARDS[card].ability == "add" for card in cards)
