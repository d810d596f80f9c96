"""Effects of events. Nothing here checks whether they are allowed."""

from __future__ import annotations

from dataclasses import replace

from engine.dice import Faces, union, without
from engine.krone.cards import CARDS, ORDER
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rounds import end_turn
from engine.krone.state import State, Turn, in_display_order
from engine.registry import SEATS


def apply_event(state: State, event: Event) -> State:
    """The state after an event that `rules.verify` accepted."""
    turn = state.turn
    match event:
        case Roll(dice):
            return state.with_turn(Turn(0, dice, turn.kept, turn.used, rolled=True, duty=True))
        case Keep(dice):
            rest = without(turn.active, dice)
            assert rest is not None
            return state.with_turn(Turn(0, rest, union(turn.kept, dice), turn.used, rolled=True, duty=False))
        case Use(card, before, after):
            return state.with_turn(_use_card(state, card, before, after))
        case Buy(card):
            return end_turn(_buy_card(state, card))
        case Pass():
            return end_turn(_challenge(state) if state.final else state)


def _use_card(state: State, card: str, before: Faces, after: Faces) -> Turn:
    turn = state.turn
    used = turn.used | {card}
    if CARDS[card].ability == "add":
        if not turn.rolled:  # the added die joins the first roll and its value is lost (R1)
            return Turn(turn.hand + 1, used=used)
        return Turn(0, union(turn.active, after or (CARDS[card].pips,)), turn.kept, used, True, turn.duty)
    rest = without(turn.active, before)
    assert rest is not None
    return Turn(0, union(rest, after), turn.kept, used, True, turn.duty)


def _buy_card(state: State, card: str) -> State:
    seat = state.seat
    own = list(state.tableau(seat))
    if card == "charlatan":  # a Fool turned over does not come from the display
        own.remove("fool")
        return _with_tableau(state, seat, [*own, card])
    taken = ["king", "queen"] if card == "king" else [card]
    stock = list(state.stock)
    for one in taken:
        left = stock[ORDER[one]]
        stock[ORDER[one]] = None if left is None else left - 1
    state = _with_tableau(replace(state, stock=tuple(stock)), seat, own + taken)
    if card != "king":
        return state
    return replace(state, claimant=seat, king=seat, threshold=state.result())


def _challenge(state: State) -> State:
    """Ends a turn of the final round: a strictly better group takes the King, and for the Queen's owner an equal one
    is enough."""
    assert state.king is not None
    assert state.threshold is not None
    seat, group = state.seat, state.result()
    if group < state.threshold or (group == state.threshold and seat != state.claimant):
        return state
    state = _with_tableau(state, state.king, [card for card in state.tableau(state.king) if card != "king"])
    state = _with_tableau(state, seat, [*state.tableau(seat), "king"])
    return replace(state, king=seat, threshold=group)


def _with_tableau(state: State, seat: str, cards: list[str]) -> State:
    place = SEATS.index(seat)
    return replace(state, tableaux=(*state.tableaux[:place], in_display_order(cards), *state.tableaux[place + 1 :]))
