"""Counting the dice: how many there should be, and what to say when there are not."""

from __future__ import annotations

from typing import Any

from companion.game.changes import Sentence
from companion.game.timeline import Timeline
from companion.referee.sentences import NO_FIT, TOO_FEW, TOO_MANY, said
from companion.referee.thrown import hands
from engine.dice import together
from engine.knatsch.state import DICE
from engine.krone.state import State
from vision.types import Reading

ALL_AT_ONCE = {"knatsch": DICE}  # games in which every throw is of so many dice


def due(state: Any) -> int:
    """How many dice must lie there when a throw has come to rest, as far as the record knows; of several possible
    numbers the least."""
    if state.GAME in ALL_AT_ONCE:
        return ALL_AT_ONCE[state.GAME]
    turn = state.turn
    if turn.rolled and turn.active:
        return len(turn.active) + len(turn.kept)
    return min(hands(state), default=0)


def beginning(state: Any) -> set[int]:
    """With how many dice the next turn may begin; none while one is being played. In Knatsch all are thrown at once
    in the middle of an attempt too."""
    if state.GAME in ALL_AT_ONCE:
        return {ALL_AT_ONCE[state.GAME]}
    return set() if state.finished or (state.turn.rolled and state.turn.active) else {*hands(state)}


def on_record(timeline: Timeline, reading: Reading) -> bool:
    """Whether the dice lie there as the record says already: entered by a person, or from before a restart."""
    seen = together(reading.active, reading.kept)
    for state in reversed(timeline.replay.states):
        lying = together(*timeline.game.on_table(state))
        if lying:
            return seen == lying
    return False


def expected(state: State, reading: Reading, cleared: bool) -> int:
    """How many dice should lie there after a throw, as far as the record knows."""
    turn = state.turn
    same = len(turn.active) + len(turn.kept)
    if turn.rolled and turn.active and not cleared and (turn.kept or reading.kept):
        return same
    following = hands(state)
    fits = [hand for hand in following if hand >= len(reading.dice)] or following
    return min(fits, default=same)


def missing(state: State, reading: Reading, cleared: bool) -> int:
    """How many dice fewer than that are seen."""
    return max(0, expected(state, reading, cleared) - len(reading.dice))


def thrown(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """What to say about a throw that nothing explains."""
    due, seen = expected(state, reading, cleared), len(reading.dice)
    if seen == due:
        return (said(NO_FIT),)
    return (said(TOO_FEW if seen < due else TOO_MANY, seen=seen, expected=due),)


def by_hand(state: State, reading: Reading) -> tuple[Sentence, ...]:
    """What to say about dice between two throws that nothing explains. Fewer are being picked up or cleared away."""
    due, seen = len(state.turn.active) + len(state.turn.kept), len(reading.dice)
    if seen < due or state.turn.over:
        return ()
    return (said(NO_FIT) if seen == due else said(TOO_MANY, seen=seen, expected=due),)
