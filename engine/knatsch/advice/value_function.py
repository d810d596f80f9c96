"""The value function of Knatsch: every player's win probability from their cards, learned from games of the advisor.

Every player has a score, a sum of weights over their cards; win probabilities are the softmax of the scores. The
weights are a table made by scripts/knatsch_selfplay.py (models/knatsch-worth.json); callers pass it in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.knatsch.deck import is_castle, is_special
from engine.knatsch.state import Player, State
from engine.registry import SEATS


@dataclass(frozen=True, slots=True, eq=False)
class KnatschValueFunction:
    """Feature name → weight; a missing feature weighs 0. Scores are multiplied by `sharpness_of` the table. Tables
    are compared by identity."""

    weights: Mapping[str, float]

    def chances(self, seated: Sequence[Player], following: int) -> tuple[float, ...]:
        """Every player's win probability if the player in place `following` has the next turn; they add up to 1."""
        if any(player.wins for player in seated):
            return tuple([float(player.wins) for player in seated])
        cards = [tuple([card.id for card in player.cards]) for player in seated]
        sharpness = sharpness_of(self.weights, len(seated))
        turns = waits(len(seated), following)
        scores = [sharpness * _score(self, own, wait) for own, wait in zip(cards, turns, strict=True)]
        most = max(scores)
        powers = [math.exp(score - most) for score in scores]
        total = sum(powers)
        return tuple([power / total for power in powers])

    def of(self, state: State) -> tuple[float, ...]:
        """Every player's win probability now, ignoring the current attempt."""
        if state.winner is not None:
            return tuple(float(seat == state.winner) for seat in state.seats)
        return self.chances(state.seated, SEATS.index(state.turn))


def sharpness_of(weights: Mapping[str, float], players: int) -> float:
    """Factor on every score, fitted for each number of players because the opponents attack the leader."""
    return math.exp(weights.get(f"sharpness {players}", 0.0))


def waits(players: int, following: int) -> tuple[float, ...]:
    """Rounds until each seat is on turn; 0 for the next one."""
    return tuple([(seat - following) % players / players for seat in range(players)])


@lru_cache(maxsize=65536)
def _score(value_function: KnatschValueFunction, cards: tuple[str, ...], wait: float) -> float:
    return sum(value_function.weights.get(name, 0.0) * value for name, value in feature_values(cards, wait).items())


def feature_values(cards: tuple[str, ...], wait: float) -> dict[str, float]:
    """Names of the features of a player's cards. Castles, tournaments and dice cards count in steps: the third
    castle can be worth more than the second, the third die less."""
    return {**_card_features(cards), "wait": wait}


@lru_cache(maxsize=65536)
def _card_features(cards: tuple[str, ...]) -> Mapping[str, float]:
    """The features of these cards, cached: evaluating hidden cards asks for the same ones many times."""
    castles, tournaments = sum(map(is_castle, cards)), cards.count("tournament")
    others = [card for card in cards if is_special(card)]
    found = {f"castles {n}": 1.0 for n in range(2, min(3, castles) + 1)}
    found |= {f"tournaments {n}": 1.0 for n in range(1, min(3, tournaments) + 1)}
    found |= {f"dice {n}": 1.0 for n in range(1, sum(card.startswith("dice-") for card in others) + 1)}
    found |= {card: 1.0 for card in others if not card.startswith("dice-")}
    if _missing(castles, tournaments) == 1:
        found["one missing"] = 1.0
    return found


def missing(player: Player) -> int:
    """Number of cards (the King counts as one) missing to the nearest goal."""
    return _missing(len(player.castles), player.tournaments)


def _missing(castles: int, tournaments: int) -> int:
    return min(4 - castles, max(0, 3 - castles) + 1, max(0, 2 - castles) + max(0, 3 - tournaments))
