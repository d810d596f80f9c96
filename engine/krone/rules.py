"""The rules: what is allowed (effects are in `effects`).

`verify` raises Illegal, `can` is `verify` without raising, `play` verifies and applies. Every function takes the acting
seat, because the next player may start while the last one's purchase is still open.
"""

from __future__ import annotations

from dataclasses import replace

from engine.dice import Faces, dice_text, without
from engine.errors import Illegal
from engine.game_defaults import can_from
from engine.krone.abilities import check_use
from engine.krone.cards import CARDS
from engine.krone.costs import COSTS, payable_cards
from engine.krone.effects import apply_event
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rounds import end_turn
from engine.krone.state import OpenPurchase, State, for_sale


def verify(state: State, seat: str, event: Event) -> None:
    """Raises Illegal, with the rule in the players' words, unless `seat` may do this now."""
    _check(acting(state, seat, event), event)


can = can_from(verify)


def play(state: State, seat: str, event: Event) -> State:
    """The state after the event.

    Raises:
        Illegal: As `verify` does.
    """
    state = acting(state, seat, event)
    _check(state, event)
    return apply_event(state, event)


def implied(state: State, seat: str, event: Event) -> tuple[Event, ...]:
    """Events implied by this one: buying a card ends the turn, so active dice that help to pay are set aside with
    it."""
    active = state.turn.active
    pays = isinstance(event, Buy) and seat == state.seat and event.card in state.purchases(active)
    return (Keep(active),) if active and pays else ()


def acting(state: State, seat: str, event: Event) -> State:
    """The state in which `seat` does this: the given one, or the one with the last turn's purchase left open because
    the next turn starts.

    Raises:
        Illegal: It is not that seat's turn.
    """
    if state.winner is not None:
        raise Illegal("the game is over: {seat} has won", seat=state.winner)
    if state.turn.over and not state.final and _begins(state, seat, event):
        waiting = (*state.waiting, OpenPurchase(state.seat, state.turn.kept))
        following = end_turn(replace(state, waiting=waiting))
        if following.seat == seat:
            return following
    if seat != state.seat:
        if isinstance(event, Buy) and seat in state.open:
            raise Illegal("enter {seat}’s missing purchase before the start of the next turn", seat=seat)
        raise Illegal("it is {turn}’s turn, not {seat}’s", turn=state.seat, seat=seat)
    return state


def _begins(state: State, seat: str, event: Event) -> bool:
    """Whether this event starts the next turn: a roll after all dice are set aside, even of the same player, who may
    play twice in a row. A card before the first roll starts it only for another player; the same player's card still
    belongs to the current turn (R5)."""
    return isinstance(event, Roll) or (seat != state.seat and isinstance(event, Use))


def _check(state: State, event: Event) -> None:
    turn = state.turn
    match event:
        case Roll(dice):
            _check_roll(state, dice)
        case Keep(dice):
            _check_keep(state, dice)
        case Use():
            check_use(state, event)
        case Buy(card):
            _check_buy(state, card)
        case Pass():
            if not turn.over and not (state.final and not turn.rolled):
                _check_over(state, "pass")


def _check_roll(state: State, dice: Faces) -> None:
    turn = state.turn
    if turn.rolled and not turn.active:
        raise Illegal("all dice are set aside. Buy a card or end the turn without one")
    if turn.duty:
        raise Illegal("set aside at least one die before rolling again")
    if len(dice) != (turn.hand or len(turn.active)):
        raise Illegal("roll {count} dice, not {thrown}", count=state.to_roll, thrown=len(dice))


def _check_keep(state: State, dice: Faces) -> None:
    turn = state.turn
    if not turn.rolled:
        raise Illegal("you have not rolled yet, so there are no dice to set aside")
    if not dice:
        raise Illegal("choose the dice to set aside")
    if without(turn.active, dice) is None:
        if not turn.active:
            raise Illegal("no die is active")
        raise Illegal(
            "you can only set aside active dice: {dice} is not among {active}",
            dice=dice_text(dice),
            active=dice_text(turn.active),
        )


def _check_over(state: State, verb: str) -> None:
    turn = state.turn
    if not turn.rolled:
        if verb == "pass":
            raise Illegal("you can only pass before rolling in the final round")
        raise Illegal("you have not rolled yet, so you cannot buy a card")
    raise Illegal("set aside all dice first: {active} still active", active=dice_text(turn.active))


def _check_buy(state: State, card: str) -> None:
    if card not in CARDS:
        raise Illegal("there is no card {name}", name=card)
    if state.final:
        raise Illegal("you cannot buy cards in the final round")  # R17
    if not state.turn.over:
        _check_over(state, "buy")
    refusal = not_for_sale(state, card)
    if refusal is not None:
        raise refusal
    if card not in payable_cards(state.turn.kept):
        raise not_paid(card, state.turn.kept)


def not_for_sale(state: State, card: str) -> Illegal | None:
    """The error that the seat on turn cannot buy this card with any dice; None if only the dice decide."""
    if for_sale(state, card):
        return None
    own = state.tableau(state.seat)
    if card == "queen":
        return Illegal("you cannot buy the {card}. She comes with the King", card=card)
    if card == "charlatan":
        return Illegal(
            "the {card} is the back of your own Fool, and {seat} has no unused Fool", card=card, seat=state.seat
        )
    if card == "fool" and card in own:
        return Illegal(
            "{seat} has an unused {card}. Turn over all of them before taking another",
            card=card,
            seat=state.seat,
        )
    if card in own:
        return Illegal("{seat} already has the {card}", seat=state.seat, card=card)
    if card == "king":
        return Illegal("the {card} has already been claimed", card=card)
    return Illegal("no {card} is left for sale", card=card)


def not_paid(card: str, result: Faces) -> Illegal:
    """The error that these dice do not pay for this card."""
    paid = dice_text(result)
    return Illegal("the {card} costs {cost}: {result} is not enough", card=card, cost=COSTS[card][1], result=paid)
