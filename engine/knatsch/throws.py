"""The throws of an attempt: six dice, sixes locked, any others kept or thrown again, also those kept before."""

from __future__ import annotations

from dataclasses import replace

from engine.dice import UNREAD, dice_text, together, without
from engine.errors import Illegal
from engine.knatsch.attempts import ended
from engine.knatsch.events import Keep, Roll, Stop
from engine.knatsch.state import DICE, Attempt, State


def throwing_refusal(state: State, event: Roll | Keep | Stop) -> Illegal | None:
    attempt = state.attempt
    if attempt is None:
        return Illegal("name the card to be captured first: target left, right, a player’s card, or king")
    if isinstance(event, Roll):
        return _roll_refusal(attempt, event)
    if attempt.dice is None:
        return Illegal("nothing has been thrown yet")
    if attempt.kept is not None:
        return Illegal("it is said which dice stay: throw the other {count}", count=attempt.to_roll)
    return _keep_refusal(attempt, event) if isinstance(event, Keep) else None


def _roll_refusal(attempt: Attempt, event: Roll) -> Illegal | None:
    if not attempt.to_roll:
        return Illegal("say first which dice stay, or stop")
    if UNREAD in event.dice:
        return Illegal("every die must be read: sixes are locked, the others may be thrown again")
    if len(event.dice) != attempt.to_roll:
        return Illegal("{count} dice are to be thrown, not {thrown}", count=attempt.to_roll, thrown=len(event.dice))
    return None


def _keep_refusal(attempt: Attempt, event: Keep) -> Illegal | None:
    assert attempt.dice is not None
    if 6 in event.dice:
        return Illegal("sixes stay by themselves and count nothing: name only the other dice that stay")
    if without(attempt.dice, event.dice) is None:
        return Illegal(
            "only dice on the table can stay: {dice} is not among {lying}",
            dice=dice_text(event.dice),
            lying=dice_text(attempt.dice),
        )
    if len(event.dice) + attempt.sixes == DICE:
        return Illegal("all dice would stay: stop instead")
    return None


def thrown(state: State, event: Roll | Keep | Stop) -> State:
    attempt = state.attempt
    assert attempt is not None
    match event:
        case Stop():
            return ended(state)
        case Keep(dice):
            return replace(state, attempt=replace(attempt, kept=dice))
        case Roll(dice):
            lying = together(dice, (*(attempt.kept or ()), *(6,) * attempt.sixes))
            state = replace(state, attempt=replace(attempt, dice=lying, kept=None, throws=attempt.throws - 1))
            out_of_throws = attempt.throws == 1 or lying == (6,) * DICE
            return ended(state) if out_of_throws else state
