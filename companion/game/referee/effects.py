"""Decides whether a doubt matters: two cards that change the dice in the same way lead to the same game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.game.moves import Moves, played
from companion.game.referee.questions import Explanation, PossibleQuestion
from companion.game.referee.transitions import Transitions

MATTERING = 0.02  # chance of another resulting position from which a question matters


def weighed(transitions: Transitions, begun: Any, explained: Moves, doubt: PossibleQuestion) -> PossibleQuestion:
    """The doubt, marked as irrelevant, or with the chance of all courses that lead to the same game.

    Args:
        begun: The position before the first line of `explained`, which is or will be on record.
    """
    before = played(transitions.game, begun, explained[: doubt.place])
    if before is None or len(doubt.courses) < 2:
        return doubt
    same = chance_of_same(transitions, before, doubt.courses[0].lines, doubt.courses)
    total = sum(course.chance for course in doubt.courses)
    if same is None:
        return doubt
    if same > (1.0 - MATTERING) * total:
        return doubt._replace(matters=False)
    return doubt._replace(chance=max(doubt.chance, same / total))


def chance_of_same(
    transitions: Transitions, begun: Any, explained: Moves, courses: Iterable[Explanation]
) -> float | None:
    """The chance of all courses that leave the same game as `explained`, whichever cards were used.

    Args:
        begun: The position before the first line of each course.

    Returns:
        The sum of their chances; None where `explained` itself is not legal.
    """
    ready = transitions.cards_ready(begun)

    def left(moves: Moves) -> Any:
        state = played(transitions.game, ready, moves)
        return None if state is None else transitions.cards_ready(state)

    end = left(explained)
    return (
        None if end is None else sum(one.chance for one in courses if one.lines == explained or left(one.lines) == end)
    )
