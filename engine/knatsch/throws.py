"""The throws of an attempt: six dice, sixes locked, any others kept or rolled again, including those kept before."""

from __future__ import annotations

from dataclasses import replace

from engine.dice import UNREAD, dice_text, union, without
from engine.errors import Illegal
from engine.knatsch.attempts import end_attempt
from engine.knatsch.events import Keep, Roll, Stop
from engine.knatsch.state import DICE, Attempt, State


def throwing_refusal(state: State, event: Roll | Keep | Stop) -> Illegal | None:
    """Reason this roll, keep or stop is illegal, or None."""
    attempt = state.attempt
    if attempt is None:
        return Illegal("choose a target first: a stack, a player’s card or the King")
    if isinstance(event, Roll):
        return _roll_refusal(attempt, event)
    if attempt.dice is None:
        return Illegal("you have not rolled yet")
    if attempt.kept is not None:
        return Illegal("you have chosen the dice to keep. Roll the other {count}", count=attempt.to_roll)
    return _keep_refusal(attempt, event) if isinstance(event, Keep) else None


def _roll_refusal(attempt: Attempt, event: Roll) -> Illegal | None:
    if not attempt.to_roll:
        return Illegal("choose the dice to keep first, or stop")
    if UNREAD in event.dice:
        return Illegal("every die must be read first, because sixes stay and the others can be rerolled")
    if len(event.dice) != attempt.to_roll:
        return Illegal("roll {count} dice, not {thrown}", count=attempt.to_roll, thrown=len(event.dice))
    return None


def _keep_refusal(attempt: Attempt, event: Keep) -> Illegal | None:
    assert attempt.dice is not None
    if 6 in event.dice:
        return Illegal("sixes always stay and count for nothing. Choose only the other dice to keep")
    if without(attempt.dice, event.dice) is None:
        return Illegal(
            "you can only keep dice on the table: {dice} is not among {lying}",
            dice=dice_text(event.dice),
            lying=dice_text(attempt.dice),
        )
    if len(event.dice) + attempt.sixes == DICE:
        return Illegal("you would keep all dice. Stop instead")
    return None


def apply_throw(state: State, event: Roll | Keep | Stop) -> State:
    """The state after a roll, a keep or a stop."""
    attempt = state.attempt
    assert attempt is not None
    match event:
        case Stop():
            return end_attempt(state)
        case Keep(dice):
            return replace(state, attempt=replace(attempt, kept=dice))
        case Roll(dice):
            on_table = union(dice, (*(attempt.kept or ()), *(6,) * attempt.sixes))
            state = replace(state, attempt=replace(attempt, dice=on_table, kept=None, throws=attempt.throws - 1))
            out_of_throws = attempt.throws == 1 or on_table == (6,) * DICE
            return end_attempt(state) if out_of_throws else state
