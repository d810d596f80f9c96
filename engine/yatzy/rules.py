"""The rules: what is allowed and what it does.

`verify` raises Illegal, `can` is `verify` without raising, `play` verifies and applies, `legal` lists
what `play` accepts.
"""

from __future__ import annotations

from dataclasses import replace

from engine.dice import UNREAD, Faces, dice_text, parts, rolls, union, without
from engine.errors import Illegal
from engine.game_defaults import can_from
from engine.registry import SEATS
from engine.yatzy.boxes import DICE
from engine.yatzy.events import Event, Keep, Roll, Score
from engine.yatzy.state import State


def verify(state: State, seat: str, event: Event) -> None:
    """Raises Illegal, with the rule in the players' words, unless `seat` may do this now."""
    refusal = _refusal(state, seat, event)
    if refusal is not None:
        raise refusal


def _refusal(state: State, seat: str, event: Event) -> Illegal | None:
    if state.finished:
        return Illegal("the game is over: all boxes are filled")
    if seat != state.seat:
        return Illegal("it is {turn}’s turn, not {seat}’s", turn=state.seat, seat=seat)
    match event:
        case Roll(dice):
            return _roll_refusal(state, dice)
        case Keep(dice):
            return _keep_refusal(state, dice)
        case Score(box):
            return _score_refusal(state, box)


can = can_from(verify)


def play(state: State, seat: str, event: Event) -> State:
    """The state after the event.

    Raises:
        Illegal: As `verify` does.
    """
    verify(state, seat, event)
    match event:
        case Roll(dice):
            return replace(state, dice=union(dice, state.kept or ()), kept=None, rolls=state.rolls - 1)
        case Keep(dice):
            return replace(state, kept=dice)
        case Score(box):
            place = SEATS.index(seat)
            sheet = state.sheets[place].with_score(box, state.dice or ())
            return State(state.rules, (*state.sheets[:place], sheet, *state.sheets[place + 1 :]))


def implied(state: State, seat: str, event: Event) -> tuple[Event, ...]:
    """A player who rolls all five dice again keeps none."""
    again = isinstance(event, Roll) and len(event.dice) == DICE and state.dice is not None and state.kept is None
    return (Keep(()),) if again and state.rolls and seat == state.seat else ()


def legal(state: State) -> tuple[tuple[str, Event], ...]:
    """Every (seat, event) that `play` accepts."""
    events: list[Event] = list(map(Roll, rolls(state.to_roll))) if state.to_roll else []
    if state.dice is not None:
        events += [*map(Keep, parts(state.dice)), *map(Score, state.rules.boxes)]
    return tuple((state.seat, event) for event in events if can(state, state.seat, event))


def _roll_refusal(state: State, dice: Faces) -> Illegal | None:
    if not state.rolls:
        return Illegal("you have rolled three times. Choose a box")
    if not state.to_roll:
        return Illegal("choose the dice to keep first")
    if UNREAD in dice:
        return Illegal("every die must be read first, because any of them may be kept")
    if len(dice) != state.to_roll:
        return Illegal("roll {count} dice, not {thrown}", count=state.to_roll, thrown=len(dice))
    return None


def _keep_refusal(state: State, dice: Faces) -> Illegal | None:
    if state.dice is None:
        return Illegal("you have not rolled yet")
    if not state.rolls:
        return Illegal("you have rolled three times. Choose a box")
    if state.kept is not None:
        return Illegal("you have chosen the dice to keep. Roll the other {count}", count=state.to_roll)
    if without(state.dice, dice) is None:
        shown = {"dice": dice_text(dice), "lying": dice_text(state.dice)}
        return Illegal("you can only keep dice on the table: {dice} is not among {lying}", **shown)
    if len(dice) == DICE:
        return Illegal("you would keep all dice. Choose a box instead")
    return None


def _score_refusal(state: State, box: str) -> Illegal | None:
    if box not in state.rules.boxes:
        return Illegal("this scoresheet has no box {card}", card=box)
    if state.dice is None:
        return Illegal("you have not rolled yet")
    if state.sheet(state.seat)[box] is not None:
        return Illegal("the box {card} is already filled", card=box)
    return None
