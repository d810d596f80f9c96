"""What a turn's result is worth: for every card it could buy the chance to win the game after the purchase."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from engine.advice.goals import GOALS, Goal, Kind, Threshold
from engine.advice.odds import tables, value
from engine.advice.position import Position
from engine.advice.winning import challenge, threshold_for
from engine.advice.worth import WorthTable, dice_of, waits
from engine.dice import Faces
from engine.krone.cards import CARDS
from engine.krone.costs import met
from engine.krone.state import SEATS, Rules, State, for_sale

SEVEN = 7
_IMPOSSIBLE = 99


@dataclass(frozen=True, slots=True)
class Prices:
    """Win chance after each purchase, for the seat on turn. passing: after buying nothing. cards: card → win chance,
    the King left out. claim: win chance after claiming him with seven 1s, 2s … 6s; () where he cannot be claimed."""

    passing: float
    cards: dict[str, float]
    claim: tuple[float, ...] = ()

    @property
    def least(self) -> float:
        """What every result is worth at least: some cards take any dice."""
        return max([self.passing, *(worth for card, worth in self.cards.items() if card not in GOALS)])

    def goals(self) -> list[tuple[Goal, float]]:
        """The priced goals in the kernel's form; those that are not worth buying are left out."""
        found = [(GOALS[card], worth) for card, worth in self.cards.items() if card in GOALS and worth > self.least]
        for face, worth in enumerate(self.claim, 1):
            need = [_IMPOSSIBLE] * 6
            need[face - 1] = SEVEN
            goal = Goal(Kind.ALIKE, (need[0], need[1], need[2], need[3], need[4], need[5]))
            found.append((goal, worth))
        return found

    def of(self, result: Faces) -> list[tuple[str | None, float]]:
        """Everything a result can buy with its worth, best first; None is buying nothing."""
        paid = met(result)
        found: list[tuple[str | None, float]] = [(card, worth) for card, worth in self.cards.items() if card in paid]
        claims = [worth for face, worth in enumerate(self.claim, 1) if result.count(face) >= SEVEN]
        if claims:
            found.append(("king", max(claims)))
        return sorted([*found, (None, self.passing)], key=lambda choice: -choice[1])


def prices(state: State, worth: WorthTable) -> Prices:
    """The prices of the running turn, which is not one of the final round."""
    me = SEATS.index(state.seat)
    later = waits(state, ended=True)

    def with_tableau(cards: tuple[str, ...]) -> float:
        if state.threshold is not None:  # the King is claimed: in the final round only the best group counts
            return challenge(cards, state.rules, threshold_for(state, state.seat))
        tableaux = (*state.tableaux[:me], cards, *state.tableaux[me + 1 :])
        return worth.chances(tableaux, later)[me]

    own = state.tableaux[me]
    sale = [card for card in CARDS if for_sale(state, card)]
    found = {card: with_tableau(bought(own, card)) for card in sale if card != "king"}
    claim: tuple[float, ...] = ()
    if "king" in sale and dice_of(own)[1] >= SEVEN:
        claim = tuple(_claimed(state, me, face) for face in range(1, 7))
    return Prices(with_tableau(own), found, claim)


def bought(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The tableau after a purchase; the Charlatan is a Fool turned over."""
    rest = list(cards)
    if card == "charlatan":
        rest.remove("fool")
    return (*rest, card)


def _claimed(state: State, me: int, face: int) -> float:
    """The chance to keep the King claimed with seven of this face: nobody beats it, or else she equals the better
    result (taken as the next better one: seven of a higher face or eight)."""
    unbeaten = prod(1 - beating(cards, state.rules)[face - 1] for i, cards in enumerate(state.tableaux) if i != me)
    return unbeaten + (1 - unbeaten) * beating(state.tableaux[me], state.rules)[min(face, 5)]


@lru_cache(maxsize=4096)
def beating(cards: tuple[str, ...], rules: Rules) -> tuple[float, ...]:
    """The chance to beat seven 1s, 2s … 6s in a turn with these cards."""
    most = dice_of(cards)[1]
    supply = rules.dice if rules.dice is not None else most
    if min(most, supply) < SEVEN:
        return (0.0,) * 6
    position = Position.begin(cards, rules)
    with tables(position, [Threshold(SEVEN, face).goal() for face in range(1, 7)]) as turn:
        turn.solve()
        return tuple(float(value(turn, i, position)) for i in range(6))
