"""The value of a turn's result: for every card it could buy, the win probability after the purchase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from engine.dice import Faces, best_group
from engine.krone.advice.features import SEVEN, Features, claim_features
from engine.krone.advice.goals import GOALS, Goal, Kind
from engine.krone.advice.reach import Expired, challenges, group, rung
from engine.krone.advice.tables import affordable
from engine.krone.advice.turn_position import MAX_DICE, Position
from engine.krone.advice.value_function import ValueFunction, dice_of
from engine.krone.advice.waits import still_to_play
from engine.krone.advice.winning import (
    threshold_for,
    win_chances_by_claim,
    win_chances_by_rung,
    win_chances_by_rung_rolling_first,
)
from engine.krone.cards import CARDS
from engine.krone.costs import payable_cards
from engine.krone.state import State, for_sale
from engine.registry import SEATS

_VALUE = Goal(Kind.VALUE)


@dataclass(frozen=True, slots=True)
class Prices:
    """Win probability of the seat on turn after each purchase.

    Attributes:
        passing: After buying nothing.
        cards: By card, without the King.
        groups: After claiming the King with (count, face); empty if he cannot be claimed. In the final round, where
            nothing is bought, after ending with that group.
    """

    passing: float
    cards: dict[str, float] = field(default_factory=dict)
    groups: dict[tuple[int, int], float] = field(default_factory=dict)
    goal: Goal = _VALUE

    @property
    def least(self) -> float:
        """Lower bound of every result, because some cards take any dice."""
        return max([self.passing, *(price for card, price in self.cards.items() if card not in GOALS)])

    def goals(self) -> list[tuple[Goal, float]]:
        """The priced cards in the kernel's form, without those not worth buying."""
        return [(GOALS[card], price) for card, price in self.cards.items() if card in GOALS and price > self.least]

    def of(self, result: Faces) -> list[tuple[str | None, float]]:
        """All purchases that a result can pay for, each with its price, best first; None is buying nothing."""
        paid = payable_cards(result)
        found: list[tuple[str | None, float]] = [(card, price) for card, price in self.cards.items() if card in paid]
        claimed = self.groups.get(best_group(result))
        if claimed is not None:
            found.append(("king", claimed))
        return sorted([*found, (None, self.passing)], key=lambda choice: -choice[1])

    def value(self, result: Faces) -> float:
        """The value of ending the turn with this result."""
        return self.of(result)[0][1]


def prices(state: State, value_function: ValueFunction, expired: Expired = None) -> Prices:
    """The prices of the current turn.

    Raises:
        Expired: The deadline came first.
    """
    if state.final:
        return _final_prices(state, expired)
    if state.threshold is not None and len(still_to_play(state)) == 1:
        return _last_prices(state, expired)
    me = SEATS.index(state.seat)
    cards = [card for card in CARDS if card != "king" and for_sale(state, card)]
    features = Features.of(state, ended=True).repeated(1 + len(cards))
    for row, card in enumerate(cards, 1):
        features.buy(row, me, card)
    groups = _claimable(state) if for_sale(state, "king") else []
    last = len(still_to_play(state)) == 1
    if groups and not last:
        features = features.followed_by(claim_features(state, features, groups))
    passing, *found = value_function.chances(features)[:, me].tolist()
    by_card = dict(zip(cards, found, strict=False))
    by_group = dict(zip(groups, found[len(cards) :], strict=False))
    return Prices(passing, by_card, win_chances_by_claim(state, groups, expired) if groups and last else by_group)


def _claimable(state: State) -> list[tuple[int, int]]:
    """Every group that the seat on turn can reach, from seven dice on."""
    most = dice_of(state.tableau(state.seat))[1]
    most = min(most, MAX_DICE if state.rules.dice is None else state.rules.dice)
    return [(count, face) for count in range(SEVEN, most + 1) for face in range(1, 7)]


def bought(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The tableau after a purchase; the Charlatan is a Fool turned over."""
    rest = list(cards)
    if card == "charlatan":
        rest.remove("fool")
    return (*rest, card)


def _last_prices(state: State, expired: Expired) -> Prices:
    """For the last player in the round of the claim, who rolls next in the final round: the win probability after
    buying each card."""
    assert state.threshold is not None
    to_beat, holds = rung(*state.threshold), win_chances_by_rung_rolling_first(state, expired)
    own = state.tableau(state.seat)
    sale = within_reach(Position.of(state), [card for card in CARDS if card != "king" and for_sale(state, card)])
    tableaux = [own, *(bought(own, card) for card in sale)]
    passing, *found = challenges(own, tableaux, state.rules, to_beat, holds, expired)
    return Prices(passing, dict(zip(sale, found, strict=True)))


def within_reach(position: Position, cards: Sequence[str]) -> list[str]:
    """The cards that some result of this turn can still buy."""
    goals = [card for card in cards if card in GOALS]
    with affordable(position, [GOALS[card] for card in goals], inf)[0] as turn:
        lost = {card for number, card in enumerate(goals) if turn.hopeless(number)}
    return [card for card in cards if card not in lost]


def _final_prices(state: State, expired: Expired) -> Prices:
    """The prices in the final round, where only a group that beats (for the Queen's owner: equals) the threshold has a
    value."""
    assert state.threshold is not None
    threshold = threshold_for(state, state.seat)
    first = rung(*state.threshold) + (not threshold.equal)
    chances = win_chances_by_rung(state, expired)
    groups = {group(place): chance for place, chance in enumerate(chances) if place >= first}
    return Prices(0.0, {}, groups, Goal(Kind.LADDER, threshold.goal().need))
