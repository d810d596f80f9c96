"""Finds the events that lead from a state to the dice on the table: the inverse of `play`."""

from __future__ import annotations

from functools import lru_cache

from engine.dice import Faces
from engine.games import Course
from engine.keep_and_roll import OnTable, Verbs, courses
from engine.knatsch.events import Keep, Roll
from engine.knatsch.rules import play
from engine.knatsch.state import State

_VERBS = Verbs(Keep, Roll, play)


@lru_cache(maxsize=1024)
def explain(
    state: State, active: Faces, kept: Faces, cards: int = 0, roll_count: int | None = None
) -> tuple[Course, ...]:
    """Every course of the running attempt with at most one roll that leaves these dice; see `Game.explain`.

    A course that ends the attempt ends with its last roll. `kept` never contains sixes.
    """
    attempt = state.attempt
    table = OnTable(None, None) if attempt is None else OnTable(attempt.dice, attempt.kept, (6,) * attempt.sixes)
    return courses(_VERBS, state, table, active, kept, roll_count)
