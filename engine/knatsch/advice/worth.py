"""What the cards before the players of Knatsch are worth: everybody's chance to win, learned from games of the advisor.

Every player has a score, a sum of weights over her cards; the chances to win are the softmax of the scores. The weights
are a table made by scripts/knatsch_selfplay.py (models/knatsch-worth.json); whoever asks passes it in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.knatsch.deck import is_castle, is_special
from engine.knatsch.state import Player, State
from engine.registry import SEATS

# Where training starts, and what little-seen features stay close to; what counts where no table was given.
FIRST: Mapping[str, float] = {
    "castles 2": 0.8,
    "castles 3": 1.2,
    "tournaments 1": 0.3,
    "tournaments 2": 0.5,
    "tournaments 3": 0.8,
    "one missing": 0.5,
    **{f"dice {n}": 0.4 for n in range(1, 6)},
    **dict.fromkeys(("catapult", "champion", "stack", "castle-guard", "special-guard", "betrayal", "protection"), 0.1),
    "wait": -0.3,
}
NAMES = tuple(sorted(FIRST))


@dataclass(frozen=True, slots=True, eq=False)
class KnatschWorth:
    """Feature name → weight. A feature missing from the table weighs nothing. All scores are multiplied by
    `sharpness_of` the table. Tables are told apart by which they are, not by what they hold."""

    weights: Mapping[str, float]

    def chances(self, seated: Sequence[Player], following: int) -> tuple[float, ...]:
        """Everybody's chance to win when the player in place `following` has the next turn; they add up to 1."""
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
        """Everybody's chance to win now, whatever lies on the table of the running turn."""
        if state.winner is not None:
            return tuple(float(seat == state.winner) for seat in state.seats)
        return self.chances(state.seated, SEATS.index(state.turn))


HAND_MADE = KnatschWorth(FIRST)


def sharpness_of(weights: Mapping[str, float], players: int) -> float:
    """By what these weights multiply all scores in a game of so many: a lead is fought by all the others."""
    return math.exp(weights.get(f"sharpness {players}", 0.0))


def waits(players: int, following: int) -> tuple[float, ...]:
    """How long until each seat is on turn, in rounds; 0 for the one that follows."""
    return tuple([(seat - following) % players / players for seat in range(players)])


@lru_cache(maxsize=65536)
def _score(worth: KnatschWorth, cards: tuple[str, ...], wait: float) -> float:
    return sum(worth.weights.get(name, 0.0) * value for name, value in offers(cards, wait).items())


def offers(cards: tuple[str, ...], wait: float) -> dict[str, float]:
    """What a player's cards offer, by their names. Castles, tournaments and dice cards count in steps: the third
    castle can be worth more than the second, the third die less."""
    return {**_offers(cards), "wait": wait}


@lru_cache(maxsize=65536)
def _offers(cards: tuple[str, ...]) -> Mapping[str, float]:
    """The features of these cards: weighing what may lie under a stack asks for the same ones over and over."""
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
    """Cards (the King counts as one) still missing to the nearest goal."""
    return _missing(len(player.castles), player.tournaments)


def _missing(castles: int, tournaments: int) -> int:
    return min(4 - castles, max(0, 3 - castles) + 1, max(0, 2 - castles) + max(0, 3 - tournaments))
