"""What a turn's result is worth: for every card it could buy the chance to win the game after the purchase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from engine.advice.finale import keeping
from engine.advice.goals import GOALS, Goal, Kind
from engine.advice.position import Position
from engine.advice.reach import SEVEN, Expired, challenge, group, reach, rung
from engine.advice.tables import affordable
from engine.advice.winning import challenged, challengers, holding_on, seat_reach, threshold_for
from engine.advice.worth import WorthTable, dice_of, waits
from engine.dice import Faces, best_group
from engine.krone.cards import CARDS
from engine.krone.costs import met
from engine.krone.state import SEATS, State, for_sale

_WORTH = Goal(Kind.WORTH)


@dataclass(frozen=True, slots=True)
class Prices:
    """Win chance after each purchase, for the seat on turn. passing: after buying nothing. cards: card → win chance,
    the King left out. groups: win chance after claiming him with (so many dice, of this face), empty where he cannot
    be claimed; in the final round, where nothing is bought, after ending with that group."""

    passing: float
    cards: dict[str, float] = field(default_factory=dict)
    groups: dict[tuple[int, int], float] = field(default_factory=dict)
    goal: Goal = _WORTH

    @property
    def least(self) -> float:
        """What every result is worth at least: some cards take any dice."""
        return max([self.passing, *(worth for card, worth in self.cards.items() if card not in GOALS)])

    def goals(self) -> list[tuple[Goal, float]]:
        """The priced cards in the kernel's form; those that are not worth buying are left out."""
        return [(GOALS[card], worth) for card, worth in self.cards.items() if card in GOALS and worth > self.least]

    def of(self, result: Faces) -> list[tuple[str | None, float]]:
        """Everything a result can buy with its worth, best first; None is buying nothing."""
        paid = met(result)
        found: list[tuple[str | None, float]] = [(card, worth) for card, worth in self.cards.items() if card in paid]
        claimed = self.groups.get(best_group(result))
        if claimed is not None:
            found.append(("king", claimed))
        return sorted([*found, (None, self.passing)], key=lambda choice: -choice[1])

    def worth(self, result: Faces) -> float:
        """What ending the rolling with this result is worth."""
        return self.of(result)[0][1]


def prices(state: State, worth: WorthTable, expired: Expired = None) -> Prices:
    """The prices of the running turn. Raises kernel.Expired at the deadline."""
    if state.final:
        return _final_prices(state, expired)
    me = SEATS.index(state.seat)
    later = waits(state, ended=True)
    ahead = None if state.threshold is None else challenged(state, expired)

    def with_tableau(cards: tuple[str, ...]) -> float:
        if ahead is not None:  # the King is claimed: in the final round only the best group counts
            return challenge(cards, state.rules, *ahead, expired)
        tableaux = (*state.tableaux[:me], cards, *state.tableaux[me + 1 :])
        return worth.chances(tableaux, later)[me]

    own = state.tableaux[me]
    sale = [card for card in CARDS if for_sale(state, card)]
    if ahead is not None:
        sale = within_reach(Position.of(state), sale)  # a challenge takes long to think through
    found = {card: with_tableau(bought(own, card)) for card in sale if card != "king"}
    claim = _claims(state, expired) if "king" in sale and dice_of(own)[1] >= SEVEN else {}
    return Prices(with_tableau(own), found, claim)


def within_reach(position: Position, cards: Sequence[str]) -> list[str]:
    """The cards that some result of this turn can still buy."""
    goals = [card for card in cards if card in GOALS]
    with affordable(position, [GOALS[card] for card in goals], inf)[0] as turn:
        lost = {card for number, card in enumerate(goals) if turn.hopeless(number)}
    return [card for card in cards if card not in lost]


def bought(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The tableau after a purchase; the Charlatan is a Fool turned over."""
    rest = list(cards)
    if card == "charlatan":
        rest.remove("fool")
    return (*rest, card)


def _claims(state: State, expired: Expired) -> dict[tuple[int, int], float]:
    """The chance to win after claiming the King with each group: nobody beats it, or she equals what does."""
    own = (*state.tableau(state.seat), "king", "queen")
    challenges = [seat_reach(state, seat, expired) for seat in challengers(state) if seat != state.seat]
    kept = keeping(challenges, reach(own, state.rules, expired))
    return {group(place): chance for place, chance in enumerate(kept)}


def _final_prices(state: State, expired: Expired) -> Prices:
    """In the final round only a group that beats (for the Queen's owner: equals) the threshold is worth anything."""
    assert state.threshold is not None
    threshold = threshold_for(state, state.seat)
    first = rung(*state.threshold) + (not threshold.equal)
    chances = holding_on(state, expired)
    groups = {group(place): chance for place, chance in enumerate(chances) if place >= first}
    return Prices(0.0, {}, groups, Goal(Kind.LADDER, threshold.goal().need))
