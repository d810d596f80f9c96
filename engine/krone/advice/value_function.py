"""The learned value function: every player's win probability, from a small network trained on games.

Every player has a score: a weighted sum of the features of their standing (`standing`) plus a correction by two layers
of rectified linear units. Win probabilities are the softmax of the scores. Before the King is claimed, the scores are
multiplied by a sharpness that depends on the number of players and of their cards. scripts/selfplay.py trains the
weights, scripts/calibration.py the sharpness (models/worth.json, model card models/worth.md); callers pass them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.krone.advice.features import FEATURE_COUNT, Features, Numbers
from engine.krone.advice.waits import Wait as Wait
from engine.krone.advice.waits import waits as waits
from engine.krone.cards import CARDS, START_DICE
from engine.krone.state import BASE_DICE

MANY_CARDS = 6  # cards of each player from which sharpness no longer grows


@dataclass(frozen=True, slots=True)
class ValueFunction:
    """The weights.

    Attributes:
        linear: (F,)
        first, first_bias: (F, h), (h,)
        second, second_bias: (h, k), (k,)
        last: (k,)
        sharpness: (4, 2) for two to five players: logarithm of the sharpness before the first card, and what MANY_CARDS
            for each player add to it.
    """

    linear: Numbers
    first: Numbers
    first_bias: Numbers
    second: Numbers
    second_bias: Numbers
    last: Numbers
    sharpness: Numbers

    @classmethod
    def from_weights(cls, weights: Mapping[str, Numbers]) -> ValueFunction:
        """A value function from weights by name, with the names and shapes above. Without `sharpness`, scores are not
        scaled."""
        known = {"sharpness": np.zeros((4, 2)), **weights}
        return cls(**{name: np.asarray(known[name], float) for name in cls.__slots__})

    @classmethod
    def uniform(cls) -> ValueFunction:
        """A value function that gives every player the same probability."""
        shapes = ((FEATURE_COUNT,), (FEATURE_COUNT, 1), (1,), (1, 1), (1,), (1,), (4, 2))
        return cls(*(np.zeros(shape) for shape in shapes))

    def chances(self, features: Features) -> Numbers:
        """(rows, players) win probabilities; each row adds up to 1."""
        inputs = features.matrix()
        hidden = np.maximum(inputs @ self.first + self.first_bias, 0)
        hidden = np.maximum(hidden @ self.second + self.second_bias, 0)
        scores = inputs @ self.linear + hidden @ self.last
        always, by_cards = self.sharpness[features.cards.shape[1] - 2]
        open_ = features.claim[:, :1, 0] == 0
        scores *= np.where(open_, np.exp(always + by_cards * share_of_cards(features.cards)[:, None]), 1.0)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        found: Numbers = powers / powers.sum(-1, keepdims=True)
        return found


def share_of_cards(cards: Numbers) -> Numbers:
    """(rows,) the share of MANY_CARDS that players have on average, at most 1.

    Args:
        cards: (rows, players, kinds).
    """
    found: Numbers = np.minimum(cards.sum((1, 2)) / cards.shape[1] / MANY_CARDS, 1.0)
    return found


def dice_of(cards: tuple[str, ...]) -> tuple[int, int]:
    """(dice at the start of the turn, all dice with every adder)."""
    start = BASE_DICE + sum(START_DICE.get(card, 0) for card in cards)
    return start, start + sum(CARDS[card].ability == "add" for card in cards)
