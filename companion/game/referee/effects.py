"""Whether it matters what happened: two cards that would have done the same to the dice leave the same game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.game.referee.habits import Habits
from companion.game.referee.questions import Doubt
from companion.game.timeline import after_all

MATTERING = 0.02  # chance of what would have left another position, from which on a question matters


def weighed(habits: Habits, begun: Any, told: Sequence[str], doubt: Doubt) -> Doubt:
    """The doubt, with whether it matters, and then with the chance of all that leaves the same game as what is told.

    begun: the position before the first line of `told`, what is or will be on record."""
    before = after_all(habits.game, begun, told[: doubt.place])
    if before is None or len(doubt.courses) < 2:
        return doubt
    ready = habits.cards_ready(before)
    after = [after_all(habits.game, ready, course.lines) for course in doubt.courses]
    left = [None if state is None else habits.cards_ready(state) for state in after]
    if left[0] is None:
        return doubt
    total = sum(course.chance for course in doubt.courses)
    same = sum(course.chance for course, state in zip(doubt.courses, left, strict=True) if state == left[0])
    if same > (1.0 - MATTERING) * total:
        return doubt._replace(question=replace(doubt.question, matters=False))
    return doubt._replace(chance=max(doubt.chance, same / total))
