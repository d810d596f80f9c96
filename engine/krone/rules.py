"""What is allowed and what it does: one place knows each rule.

`verify` raises Illegal, `can` is verify without raising, `play` is verify and then the deed. Every function takes the
seat that acts, because the next player may start while the last one's purchase is still open.
"""

from __future__ import annotations

from dataclasses import replace

from engine.dice import Faces, dice_text, together, without
from engine.errors import Illegal
from engine.krone.cards import CARDS, ORDER
from engine.krone.costs import COSTS, met
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rounds import turn_ended
from engine.krone.state import SEATS, Open, State, Turn, arranged, for_sale
from engine.krone.uses import check_use


def verify(state: State, seat: str, event: Event) -> None:
    """Raises Illegal, with the rule in the players' words, unless `seat` may do this now."""
    _check(acting(state, seat, event), event)


def can(state: State, seat: str, event: Event) -> bool:
    """Whether `verify` lets it pass."""
    try:
        verify(state, seat, event)
    except Illegal:
        return False
    return True


def why_not(state: State, seat: str, event: Event) -> Illegal | None:
    """The refusal `verify` raises, None where the event is legal."""
    try:
        verify(state, seat, event)
    except Illegal as refusal:
        return refusal
    return None


def play(state: State, seat: str, event: Event) -> State:
    """The position after the event. Raises Illegal as `verify` does."""
    state = acting(state, seat, event)
    _check(state, event)
    return _done(state, event)


def acting(state: State, seat: str, event: Event) -> State:
    """The position in which `seat` does this: as it is, or with the last turn's purchase left open because the next
    one begins.

    Raises Illegal when it is not that seat's turn.
    """
    if state.winner is not None:
        raise Illegal("the game is over: {seat} has won", seat=state.winner)
    if state.turn.over and not state.final and _begins(state, seat, event):
        waiting = (*state.waiting, Open(state.seat, state.turn.kept))
        following = turn_ended(replace(state, waiting=waiting))
        if following.seat == seat:
            return following
    if seat != state.seat:
        if isinstance(event, Buy) and seat in state.open:
            raise Illegal("the open purchase of {seat} belongs before the event that began the next turn", seat=seat)
        raise Illegal("it is the turn of {turn}, not of {seat}", turn=state.seat, seat=seat)
    return state


def _begins(state: State, seat: str, event: Event) -> bool:
    """A throw when all dice are set aside begins the next turn, even of the same player, who may play twice in a row.
    A card before the first roll does so for another player only; the same player's card still belongs to the running
    turn (R5)."""
    return isinstance(event, Roll) or (seat != state.seat and isinstance(event, Use))


def _check(state: State, event: Event) -> None:
    turn = state.turn
    match event:
        case Roll(dice):
            if turn.rolled and not turn.active:
                raise Illegal("all dice are set aside: end the turn with buy or pass")
            if turn.duty:
                raise Illegal("at least one die must be set aside before rolling again")
            if len(dice) != (turn.hand or len(turn.active)):
                raise Illegal("{count} dice are to be rolled, not {thrown}", count=state.to_roll, thrown=len(dice))
        case Keep(dice):
            if not turn.rolled:
                raise Illegal("nothing has been rolled yet: there are no dice to set aside")
            if not dice:
                raise Illegal("say which dice are set aside")
            if without(turn.active, dice) is None:
                raise Illegal(
                    "only active dice can be set aside: {dice} is not among {active}"
                    if turn.active
                    else "no die is active",
                    dice=dice_text(dice),
                    active=dice_text(turn.active),
                )
        case Use():
            check_use(state, event)
        case Buy(card):
            _check_buy(state, card)
        case Pass():
            if not turn.over and not (state.final and not turn.rolled):
                _check_over(state, "pass")


def _check_over(state: State, verb: str) -> None:
    turn = state.turn
    if not turn.rolled:
        if verb == "pass":
            raise Illegal("passing before any roll is allowed in the final round only")
        raise Illegal("nothing has been rolled yet: there is no result to buy with")
    raise Illegal("all dice must be set aside first: {active} still active", active=dice_text(turn.active))


def _check_buy(state: State, card: str) -> None:
    if card not in CARDS:
        raise Illegal("there is no card {name}", name=card)
    if state.final:
        raise Illegal("nothing is bought in the final round (R17)")
    if not state.turn.over:
        _check_over(state, "buy")
    refusal = not_for_sale(state, card)
    if refusal is not None:
        raise refusal
    if card not in met(state.turn.kept):
        raise not_paid(card, state.turn.kept)


def not_for_sale(state: State, card: str) -> Illegal | None:
    """Why the seat on turn cannot take this card whatever its dice show; None when the dice alone decide."""
    if for_sale(state, card):
        return None
    own = state.tableau(state.seat)
    if card == "queen":
        return Illegal("the {card} is not bought: she comes with the King", card=card)
    if card == "charlatan":
        return Illegal(
            "a {card} is an own Fool turned over, and {seat} has no unturned Fool", card=card, seat=state.seat
        )
    if card == "fool" and card in own:
        return Illegal(
            "{seat} has an unturned {card}: another can be taken once all own ones are turned",
            card=card,
            seat=state.seat,
        )
    if card in own:
        return Illegal("{seat} already has the {card}", seat=state.seat, card=card)
    if card == "king":
        return Illegal("the {card} has already been claimed", card=card)
    return Illegal("no {card} is left on the display", card=card)


def not_paid(card: str, result: Faces) -> Illegal:
    """That these dice do not pay for this card."""
    sentence = "the {card} costs {cost}: {result} is not enough"
    return Illegal(sentence, card=card, cost=COSTS[card][1], result=dice_text(result))


def _done(state: State, event: Event) -> State:
    turn = state.turn
    match event:
        case Roll(dice):
            return state.with_turn(Turn(0, dice, turn.kept, turn.used, rolled=True, duty=True))
        case Keep(dice):
            rest = without(turn.active, dice)
            assert rest is not None
            return state.with_turn(Turn(0, rest, together(turn.kept, dice), turn.used, rolled=True, duty=False))
        case Use(card, before, after):
            return state.with_turn(_used(state, card, before, after))
        case Buy(card):
            return turn_ended(_bought(state, card))
        case Pass():
            return turn_ended(_challenged(state) if state.final else state)


def _used(state: State, card: str, before: Faces, after: Faces) -> Turn:
    turn = state.turn
    used = turn.used | {card}
    if CARDS[card].ability == "add":
        if not turn.rolled:  # the added die joins the first roll, its value is lost (R1)
            return Turn(turn.hand + 1, used=used)
        return Turn(0, together(turn.active, after or (CARDS[card].pips,)), turn.kept, used, True, turn.duty)
    rest = without(turn.active, before)
    assert rest is not None
    return Turn(0, together(rest, after), turn.kept, used, True, turn.duty)


def _bought(state: State, card: str) -> State:
    seat = state.seat
    own = list(state.tableau(seat))
    if card == "charlatan":  # a Fool turned over: the display is not touched
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


def _challenged(state: State) -> State:
    """A turn of the final round is over: a strictly better group takes the King, for the Queen's owner an equal one
    does."""
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
    return replace(state, tableaux=(*state.tableaux[:place], arranged(cards), *state.tableaux[place + 1 :]))
