"""The number of dice on the table: how many are expected, and what to report if it differs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game.changes import Sentence
from companion.game.referee.sentences import NO_FIT, TOO_FEW, TOO_MANY, message
from engine.errors import Illegal
from engine.krone.events import Keep, Pass, Roll
from engine.krone.rules import acting, play
from engine.krone.state import State
from vision.types import Reading

MAX_SKIPPED = 3  # players in a row who pass in the final round without rolling


def hand_due(state: State) -> int:
    """Minimum number of dice on the table after the next roll, because a turn starts with the dice of a player's
    cards."""
    turn = state.turn
    if turn.rolled and turn.active:
        return len(turn.active) + len(turn.kept)
    return min(hands(state), default=0)


def hands(state: State) -> list[int]:
    """Number of dice of the next first roll, for each player who may make it."""
    found: list[int] = []
    try:
        one = _ended(state)
        found += [] if one.finished else [count for _, count in to_roll(one)]
        for _ in range(MAX_SKIPPED if state.final else 0):
            one = play(one, one.seat, Pass())
            found += [] if one.finished else [count for _, count in to_roll(one)]
    except Illegal:
        return found
    return found


def _ended(state: State) -> State:
    """The state after the current turn, with all its dice set aside."""
    if not state.turn.rolled:
        return state
    over = play(state, state.seat, Keep(state.turn.active)) if state.turn.active else state
    return play(over, over.seat, Pass()) if over.final else over


def to_roll(state: State) -> Iterator[tuple[str, int]]:
    """(seat, number of dice) of each player who may make the first roll of the next turn."""
    for seat in state.seats:
        try:
            following = acting(state, seat, Roll(()))
        except Illegal:
            continue
        if following.turn.hand:
            yield seat, following.turn.hand


def expected(state: State, reading: Reading, cleared: bool) -> int:
    """Number of dice expected on the table after a roll, as far as the record says."""
    turn = state.turn
    same = len(turn.active) + len(turn.kept)
    if turn.rolled and turn.active and not cleared and (turn.kept or reading.kept):
        return same
    following = hands(state)
    fits = [hand for hand in following if hand >= len(reading.dice)] or following
    return min(fits, default=same)


def roll_notices(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """Notices about a roll that no hypothesis explains."""
    due, seen = expected(state, reading, cleared), len(reading.dice)
    if seen == due:
        return (message(NO_FIT),)
    return (message(TOO_FEW if seen < due else TOO_MANY, seen=seen, expected=due),)
