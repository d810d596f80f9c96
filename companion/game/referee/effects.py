"""Whether it matters what happened: two cards that would have done the same to the dice leave the same game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.game.changes import Question
from companion.game.referee.model import Habits
from companion.game.referee.questions import Telling
from companion.game.timeline import after_all

MATTERING = 0.02  # chance of what would have left another position, from which on a question matters


def weighed(
    habits: Habits, begun: Any, told: Sequence[str], question: Question, place: int, courses: Sequence[Telling]
) -> Question:
    """The question, with whether it matters. begun: the position before the first line of `told`, what is or will be on
    record; courses: what may have happened from the line at `place` on instead, the first as it is told."""
    before = after_all(habits.game, begun, told[:place])
    if before is None or len(courses) < 2:
        return question
    ready = habits.cards_ready(before)
    after = [after_all(habits.game, ready, course.lines) for course in courses]
    left = [None if state is None else habits.cards_ready(state) for state in after]
    other = sum(course.chance for course, state in zip(courses, left, strict=True) if state != left[0])
    return replace(question, matters=left[0] is None or other >= MATTERING * sum(course.chance for course in courses))
