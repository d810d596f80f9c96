"""Positions and lines of Um Krone und Kragen for tests, in the words of the record."""

from __future__ import annotations

import pytest

from engine.errors import Illegal
from engine.krone.events import Event, read_event
from engine.krone.position import read_position
from engine.krone.rules import play, verify
from engine.krone.state import State

TWO = "A -; B -"


def at(position: str) -> State:
    """The position described by this line."""
    return read_position(position)


def said(line: str) -> tuple[str, Event]:
    """`A roll 5 5 2` → ("A", Roll(…))."""
    seat, _, event = line.partition(" ")
    return seat, read_event(event)


def after(state: State | str, *lines: str) -> State:
    """The position after these lines; fails if one is refused."""
    state = at(state) if isinstance(state, str) else state
    for line in lines:
        state = play(state, *said(line))
    return state


def refusal(state: State | str, line: str) -> str:
    """The sentence with which this line is refused; fails if it is legal."""
    state = at(state) if isinstance(state, str) else state
    with pytest.raises(Illegal) as refused:
        verify(state, *said(line))
    return str(refused.value)
