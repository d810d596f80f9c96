"""The rules: what is allowed and what it does.

`verify` raises Illegal, `can` is `verify` without raising, `play` verifies and applies.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Illegal
from engine.game_defaults import can_from
from engine.knatsch.attempts import end_attempt, end_turn, lose_castle, put_under, start_attempt
from engine.knatsch.events import (
    Deal,
    Event,
    Guard,
    Keep,
    Learn,
    Lose,
    Pass,
    Reveal,
    Roll,
    Side,
    Stop,
    Target,
    Top,
    Under,
)
from engine.knatsch.guards import guard_refusal, place_guards
from engine.knatsch.reveals import (
    deal_card,
    deal_refusal,
    learn_combination,
    learn_refusal,
    reveal_refusal,
    revealed_card,
    with_card,
)
from engine.knatsch.state import State
from engine.knatsch.targets import pass_refusal, target_refusal, under_refusal
from engine.knatsch.throws import apply_throw, throwing_refusal


def verify(state: State, seat: str, event: Event) -> None:
    """Raises Illegal, with the rule in the players' words, unless `seat` may do this now."""
    if state.winner is not None:
        raise Illegal("the game is over: {seat} has won", seat=state.winner)
    if seat != state.seat and not (isinstance(event, Guard) and seat == state.guarding):
        raise Illegal("it is {turn}’s turn, not {seat}’s", turn=state.seat, seat=seat)
    if isinstance(event, Deal) != state.dealing:
        if state.dealing:
            raise Illegal("deal the castles first: every player draws one")
        raise Illegal("the castles have already been dealt")
    refusal = _refusal(state, seat, event)
    if refusal is not None:
        raise refusal


can = can_from(verify)


def play(state: State, seat: str, event: Event) -> State:
    """The state after the event.

    Raises:
        Illegal: As `verify` does.
    """
    verify(state, seat, event)
    return _apply(state, seat, event)


def _refusal(state: State, seat: str, event: Event) -> Illegal | None:
    match event:
        case Deal(card, shows):
            return deal_refusal(state, card, shows)
        case Reveal():
            return reveal_refusal(state, event)
        case Learn(place):
            return learn_refusal(state, place)
        case Guard(cards):
            return guard_refusal(state, seat, cards)
        case Roll() | Keep() | Stop():
            return throwing_refusal(state, event)
        case Lose(card, side):
            return _lose_refusal(state, card, side)
        case Under() | Target() | Pass():
            return _choice_refusal(state, event)


def _choice_refusal(state: State, event: Under | Target | Pass) -> Illegal | None:
    """Reason the player on turn may not do this, or None."""
    if isinstance(event, Pass) and state.attempt:
        if state.attempt.seat != state.turn and state.attempt.dice is None:
            return None  # a castle is not defended, or a tournament is left to the others
        return Illegal("an attempt has started. Roll or stop")
    if state.revenge:
        return Illegal("the King takes a castle first. Choose the castle to give up and its stack")
    if not state.choosing:
        return Illegal("finish the current attempt first")
    match event:
        case Under(side):
            return under_refusal(state, side)
        case Target(place):
            return target_refusal(state, place)
        case Pass():
            return pass_refusal(state)


def _lose_refusal(state: State, castle: str, side: Side) -> Illegal | None:
    if not state.revenge:
        return Illegal("you lose a castle only to the King’s revenge")
    if castle not in state.player(state.turn).castles:
        return Illegal("{owner} does not have the {card}", owner=state.turn, card=castle)
    if not state.stack(side) and any(state.stacks):
        return Illegal(  # K11, K20
            "the {side} is empty and stays empty. Put the castle under the other stack", side=f"{side} stack"
        )
    return None


def _apply(state: State, seat: str, event: Event) -> State:
    match event:
        case Deal(card, shows):
            return deal_card(state, revealed_card(state, card, shows))
        case Reveal(side, card, shows):
            return with_card(state, Top(side), revealed_card(state, card, shows))
        case Learn():
            return learn_combination(state, event)
        case Guard(cards):
            return place_guards(state, seat, cards)
        case Target(place):
            return start_attempt(state, place)
        case Roll() | Keep() | Stop():
            return apply_throw(state, event)
        case Pass():
            return end_attempt(state) if state.attempt else end_turn(state)
        case Under(side):
            return replace(put_under(state, side), put_under=state.put_under + 1, guarding=None)
        case Lose(card, side):
            return lose_castle(state, card, side)
