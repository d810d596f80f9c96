"""Baseline opponents for the advisor: a fixed list of cards, and the same list with one turn of lookahead.

Both claim the King whenever they can, play every turn with the best odds for what they want, and play the final round
like the advisor. They differ only in what they want.
"""

from __future__ import annotations

from functools import lru_cache

from engine.krone.advice.advise import turn_tables
from engine.krone.advice.prices import Prices, bought, prices
from engine.krone.advice.tables import value
from engine.krone.advice.turn_position import Position
from engine.krone.advice.value_function import ValueFunction
from engine.krone.cards import CARDS, START_DICE
from engine.krone.state import Rules, State, for_sale
from tests.kit.matches.krone_players import Pricing

_UNINFORMED = ValueFunction.uniform()
_CLAIM = 2.0  # above every card
_CLAIMS = {(count, face): _CLAIM for count in range(7, 19) for face in range(1, 7)}
_ADDS, _START, _OTHER, _STEP = 0.8, 0.9, 0.2, 0.02
_MANY = 9  # cards


def wanted(card: str) -> float:
    """The preference list: cards that add a die at the start of the turn, cards that add one later, all others;
    within a kind, the higher row. The General adds two dice; a Fool is worth little."""
    if card == "fool":
        return 0.05
    kind = _START if card in START_DICE else _ADDS if CARDS[card].ability == "add" else _OTHER
    return kind * max(1, START_DICE.get(card, 0)) + _STEP * CARDS[card].row


class DiceFirst(Pricing):
    """Buys by the list `wanted`, which is all it knows of the game."""

    def priced(self, state: State) -> Prices:
        """The prices of the turn by `price`; in the final round the win probabilities."""
        if state.final:
            return prices(state, _UNINFORMED)
        cards = {card: self.price(state, card) for card in CARDS if card != "king" and for_sale(state, card)}
        return Prices(self.price(state, None), cards, _CLAIMS if for_sale(state, "king") else {})

    def price(self, state: State, card: str | None) -> float:
        """The value of this purchase; None is buying nothing."""
        return 0.0 if card is None else wanted(card)


class OneTurnAhead(DiceFirst):
    """Adds to the list one turn of lookahead: the best price expected in the next turn with the new tableau, if no
    one else buys anything. From nine cards on it uses only the list, because it is time to claim the King and a turn
    takes seconds to solve."""

    def price(self, state: State, card: str | None) -> float:
        """The price of this purchase, including what it prepares for the next turn."""
        own = state.tableau(state.seat)
        if state.threshold is not None or len(own) >= _MANY:
            return super().price(state, card)  # after a claim nothing is bought in the next turn
        cards = own if card is None else bought(own, card)
        sale = (other for other, left in state.display.items() if left != 0)
        offers = tuple(other for other in sale if other not in (*cards, "king", "queen", "charlatan"))
        return super().price(state, card) + _next_turn_price(tuple(sorted(cards)), offers, state.rules)


@lru_cache(200_000)
def _next_turn_price(cards: tuple[str, ...], offers: tuple[str, ...], rules: Rules) -> float:
    """The expected price, by the list, of a turn with these cards when these others are for sale."""
    position = Position.begin(cards, rules)
    card_prices = {card: wanted(card) for card in (*offers, *(("charlatan",) if "fool" in cards else ()))}
    with turn_tables(position, Prices(0.0, card_prices, _CLAIMS)) as turn:
        turn.solve()
        return float(value(turn, 0, position))
