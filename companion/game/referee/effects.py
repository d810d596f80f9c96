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

    A course leads to the same game if it leaves the same position, at once or after the later lines.

    Args:
        begun: The position before the first line of `explained`, which is or will be on record.
    """
    before = played(transitions.game, begun, explained[: doubt.place])
    if before is None or len(doubt.courses) < 2:
        return doubt
    first = doubt.courses[0].lines
    later = explained[doubt.place + len(first) :]
    same = chance_of_same(transitions, before, first, doubt.courses, later)
    total = sum(course.chance for course in doubt.courses)
    if same is None:
        return doubt
    if same > (1.0 - MATTERING) * total:
        return doubt._replace(matters=False)
    return doubt._replace(chance=max(doubt.chance, same / total))


def chance_of_same(
    transitions: Transitions, begun: Any, explained: Moves, courses: Iterable[Explanation], later: Moves = ()
) -> float | None:
    """The chance of all courses that leave the same game as `explained`, whichever cards were used.

    Args:
        begun: The position before the first line of each course.
        later: Lines that follow `explained`. A course that leaves another game may leave the same one after them.

    Returns:
        The sum of their chances; None where `explained` itself is not legal.
    """

    def position_after(state: Any, moves: Moves) -> Any:
        after = played(transitions.game, transitions.cards_ready(state), moves)
        return None if after is None else transitions.cards_ready(after)

    def same(moves: Moves) -> bool:
        after = position_after(begun, moves)
        return after == end or (finished is not None and after is not None and position_after(after, later) == finished)

    end = position_after(begun, explained)
    finished = position_after(end, later) if end is not None and later else None
    return None if end is None else sum(one.chance for one in courses if one.lines == explained or same(one.lines))
