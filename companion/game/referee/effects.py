"""Whether it matters what happened: two cards that would have done the same to the dice leave the same game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from companion.game.referee.questions import Doubt, Explanation
from companion.game.referee.transitions import Transitions
from companion.game.timeline import after_all

MATTERING = 0.02  # chance of what would have left another position, from which on a question matters


def weighed(transitions: Transitions, begun: Any, explained: Sequence[str], doubt: Doubt) -> Doubt:
    """The doubt, with whether it matters, and then with the chance of all that leaves the same game as what is told.

    begun: the position before the first line of `told`, what is or will be on record."""
    before = after_all(transitions.game, begun, explained[: doubt.place])
    if before is None or len(doubt.courses) < 2:
        return doubt
    same = chance_of_same(transitions, before, doubt.courses[0].lines, doubt.courses)
    total = sum(course.chance for course in doubt.courses)
    if same is None:
        return doubt
    if same > (1.0 - MATTERING) * total:
        return doubt._replace(question=replace(doubt.question, matters=False))
    return doubt._replace(chance=max(doubt.chance, same / total))


def chance_of_same(
    transitions: Transitions, begun: Any, explained: Sequence[str], courses: Iterable[Explanation]
) -> float | None:
    """The chance of all courses that leave the same game as `told`, whichever cards were used for it.

    Args:
        begun: the position before the first line of each.

    Returns:
        The sum of their chances; None where `told` itself is not legal.
    """
    ready = transitions.cards_ready(begun)

    def left(lines: Sequence[str]) -> Any:
        state = after_all(transitions.game, ready, lines)
        return None if state is None else transitions.cards_ready(state)

    end = left(explained)
    return (
        None if end is None else sum(one.chance for one in courses if one.lines == explained or left(one.lines) == end)
    )
