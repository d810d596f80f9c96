"""Which events lead from a position to the dice that rest on the table: the inverse of `play`."""

from __future__ import annotations

from functools import lru_cache

from engine.dice import Faces
from engine.games import Course
from engine.keeping import Lying, Verbs, courses
from engine.knatsch.events import Keep, Roll
from engine.knatsch.rules import play
from engine.knatsch.state import State

_VERBS = Verbs(Keep, Roll, play)


@lru_cache(maxsize=1024)
def explain(state: State, active: Faces, kept: Faces, cards: int = 0, throws: int | None = None) -> tuple[Course, ...]:
    """Every course of the running attempt with at most one roll that leaves these dice, as `Game.explain`.

    The attempt is over where its last roll is the last event. Sixes are never among `kept`.
    """
    attempt = state.attempt
    lying = Lying(None, None) if attempt is None else Lying(attempt.dice, attempt.kept, (6,) * attempt.sixes)
    return courses(_VERBS, state, lying, active, kept, throws)
