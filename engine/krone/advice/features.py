"""Features of a game between two turns, for the learned value function.

Features come in rows, so that all purchases of a turn are evaluated at once. For every player a row has: what the
tableau offers, how long until the next turns, what the rivals offer on average and at most, which cards of the display
the player could still take, and after a claim the threshold and who still plays when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.krone.advice.waits import order_of_the_final_round, still_to_play, waits
from engine.krone.cards import CARDS, ORDER, START_DICE
from engine.krone.state import BASE_DICE, MAX_PLAYERS, State
from engine.registry import SEATS

Numbers = NDArray[np.float64]

_KINDS = tuple(CARDS)[:-1]  # all but the King, who is the claim
_FROM_DISPLAY = [ORDER[card] for card in _KINDS if card not in ("charlatan", "queen")]
_START = np.array([START_DICE.get(card, 0) for card in _KINDS])
_ADDS = np.array([CARDS[card].ability == "add" for card in _KINDS])
_CHANGES = np.array([CARDS[card].ability in ("reroll", "change") for card in _KINDS])
_START_STEPS, _MAX_STEPS, _CHANGE_STEPS = np.arange(4, 10), np.arange(4, 13), np.arange(1, 7)
_OWN = len(_KINDS) + len(_START_STEPS) + len(_MAX_STEPS) + len(_CHANGE_STEPS) + 2
_CLAIM = 12
_ENDLESS = 9  # copies that count as unlimited
SEVEN = 7
FEATURE_COUNT = 3 * _OWN + 2 * len(_FROM_DISPLAY) + MAX_PLAYERS - 1 + _CLAIM


@dataclass(frozen=True, slots=True)
class Features:
    """Rows of situations in one game, as counts.

    Attributes:
        cards: (rows, players, 19) number of cards of each kind, without the King.
        waits: (rows, players, 2) rounds until the next turn and, on average, until the three after it.
        stock: (rows, 19) copies for sale.
        claim: (rows, players, 12) see `_claim`; 0 before one.
    """

    cards: Numbers
    waits: Numbers
    stock: Numbers
    claim: Numbers

    @classmethod
    def of(cls, state: State, ended: bool = False) -> Features:
        """One row: the current situation.

        Args:
            ended: Count the current turn as over.
        """
        cards = np.zeros((1, state.players, len(_KINDS)))
        for seat, tableau in enumerate(state.tableaux):
            for card in tableau:
                if card != "king":
                    cards[0, seat, ORDER[card]] += 1
        waiting = np.array([[(wait.coming, wait.later / 3) for wait in waits(state, ended)]])
        stock = np.array([[_ENDLESS if copies is None else copies for copies in state.stock[: len(_KINDS)]]], float)
        claim = np.zeros((1, state.players, _CLAIM))
        if state.threshold is not None:
            assert state.claimant is not None
            claim[0] = _claim(state, state.threshold, state.claimant, ended)
        return cls(cards, waiting, stock, claim)

    def repeated(self, rows: int) -> Features:
        """The first row, repeated."""
        return Features(*(np.repeat(part[:1], rows, 0) for part in (self.cards, self.waits, self.stock, self.claim)))

    def buy(self, row: int, seat: int, card: str) -> None:
        """Gives the seat a card in this row. The Charlatan is a Fool turned over."""
        self.cards[row, seat, ORDER[card]] += 1
        if card == "charlatan":
            self.cards[row, seat, ORDER["fool"]] -= 1
        else:
            self.stock[row, ORDER[card]] -= 1

    def followed_by(self, others: Features) -> Features:
        """These rows followed by the others."""
        pairs = ((getattr(self, name), getattr(others, name)) for name in ("cards", "waits", "stock", "claim"))
        return Features(*(np.concatenate(pair) for pair in pairs))

    def matrix(self) -> Numbers:
        """(rows, players, FEATURE_COUNT) the input of the value function."""
        rows, players = self.cards.shape[:2]
        start = BASE_DICE + self.cards @ _START
        most = start + self.cards @ _ADDS
        changes = self.cards @ _CHANGES
        steps = ((start, _START_STEPS), (most, _MAX_STEPS), (changes, _CHANGE_STEPS))
        own = np.concatenate([self.cards, *(of[..., None] >= at for of, at in steps), self.waits], -1)
        mean = (own.sum(1, keepdims=True) - own) / (players - 1)
        best = np.stack([np.delete(own, seat, 1).max(1) for seat in range(players)], 1)
        stock = self.stock[:, None, _FROM_DISPLAY]
        available = (self.cards[:, :, _FROM_DISPLAY] == 0) & (stock > 0)
        number = np.zeros((rows, players, MAX_PLAYERS - 1))
        number[..., players - 2] = 1
        rare = available / np.maximum(stock, 1)
        return np.concatenate([own, mean, best, available, rare, number, self.claim], -1)


def claim_features(state: State, features: Features, groups: Sequence[tuple[int, int]]) -> Features:
    """One row for each group (count, face) with which the seat on turn claims the King now."""
    me = SEATS.index(state.seat)
    found = features.repeated(len(groups))
    found.cards[:, me, ORDER["queen"]] += 1
    claim = np.array([_claim(state, group, state.seat, ended=True) for group in groups])
    return replace(found, claim=claim)


def _claim(state: State, threshold: tuple[int, int], claimant: str, ended: bool) -> Numbers:
    """(players, 12) features of the claim: that there is one; the player made it; they play once more before the
    final round; their place in it, 0..1; height of the threshold in dice above seven; whether it is eight, nine, ten
    or more dice; the height for the claimant alone; whether it is of 6s; whether the player may still buy before
    challenging; and for the claimant the share of players who may."""
    count, face = threshold
    height = count - SEVEN + (face - 1) / 6
    order = order_of_the_final_round(state)
    still = "" if state.final else still_to_play(state)[ended:]
    rivals = sum(seat != claimant for seat in still) / state.players
    rows = []
    for seat in state.seats:
        made, plays = seat == claimant, seat in still
        place = order.index(seat) / state.players
        beyond = (count > SEVEN, count > SEVEN + 1, count > SEVEN + 2)
        rows.append(
            (
                1,
                made,
                plays,
                place,
                height,
                *beyond,
                made * height,
                face == 6,
                plays and not made,
                made * rivals,
            )
        )
    return np.array(rows, float)
