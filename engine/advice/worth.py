"""What a tableau is worth: the chance to win with it, learned from games the advisor played against itself.

Every player has a score, a sum of learned weights over what the tableau offers; the chances to win are the softmax of
the scores. The weights are a table made by scripts/selfplay.py (models/worth.json, its card models/worth.md); whoever
asks passes it in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.krone.cards import CARDS, START_DICE
from engine.krone.state import HAND, SEATS, State

_AHEAD = 4  # turns of each player that are looked at


@dataclass(frozen=True, slots=True)
class Wait:
    """How long until a player's next turns, in rounds. coming: until the next (0: is on turn); later: until each of the
    three after it, added up. Turns do not come evenly: the last of a round has the first of the next."""

    coming: float = 0.0
    later: float = 0.0


@dataclass(frozen=True, slots=True)
class WorthTable:
    """Feature name → weight. A feature missing from the table weighs nothing."""

    weights: Mapping[str, float]

    def score(self, cards: Sequence[str], wait: Wait) -> float:
        """The score of a tableau whose owner has her turns after such a wait."""
        return sum(self.weights.get(name, 0.0) * value for name, value in features(cards, wait).items())

    def chances(self, tableaux: Sequence[Sequence[str]], waits: Sequence[Wait]) -> tuple[float, ...]:
        """Every player's chance to win; they add up to 1."""
        scores = [self.score(cards, wait) for cards, wait in zip(tableaux, waits, strict=True)]
        powers = [math.exp(score - max(scores)) for score in scores]
        return tuple(power / sum(powers) for power in powers)


def dice_of(cards: Sequence[str]) -> tuple[int, int]:
    """(dice the turn starts with, all dice with every adder)."""
    start = HAND + sum(START_DICE.get(card, 0) for card in cards)
    return start, start + sum(CARDS[card].ability == "add" for card in cards)


def features(cards: Sequence[str], wait: Wait) -> dict[str, float]:
    """What a tableau offers. Dice count in steps, so that the seventh can be worth more than the fourth; moving soon
    matters most to a player who can already throw seven alike."""
    start, most = dice_of(cards)
    changers = sum(CARDS[card].ability in ("reroll", "change") for card in cards)
    found = {f"card {card}": float(cards.count(card)) for card in set(cards)}
    found |= {f"start {n}": 1.0 for n in range(HAND + 1, start + 1)}
    found |= {f"most {n}": 1.0 for n in range(HAND + 1, most + 1)}
    found |= {f"changers {n}": 1.0 for n in range(1, changers + 1)}
    found["changers x most"] = changers * most / 10
    found |= {"wait": wait.coming, "wait later": wait.later / (_AHEAD - 1)}
    if most >= 7:
        found["wait at seven dice"] = wait.coming * (most - 6)
    return found


def waits(state: State, ended: bool = False) -> tuple[Wait, ...]:
    """How long until the turns of each seat. ended: the running turn counts as over.

    The marker passes one seat counter-clockwise after each round, so the last of a round moves twice in a row.
    """
    n = state.players
    here, marker = SEATS.index(state.seat), SEATS.index(state.start)
    this_round = [(marker + step) % n for step in range((here - marker) % n + ended, n)]
    order = this_round + [(marker - back + step) % n for back in range(1, _AHEAD + 1) for step in range(n)]
    turns = ([place / n for place, seat in enumerate(order) if seat == here] for here in range(n))
    return tuple(Wait(coming, sum(later[: _AHEAD - 1])) for coming, *later in turns)
