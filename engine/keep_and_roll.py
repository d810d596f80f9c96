"""Explains the dice on the table in games where a player keeps some dice and rolls the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine.dice import Faces, parts, union, without
from engine.errors import Illegal
from engine.games import Course, Event


class OnTable(NamedTuple):
    """The dice of a running turn.

    Attributes:
        dice: All dice on the table; None before the first roll.
        kept: The dice that the player keeps for the next roll; None before the choice.
        locked: The dice that stay by the rules.
    """

    dice: Faces | None
    kept: Faces | None
    locked: Faces = ()


class Verbs(NamedTuple):
    """The events of a game, and its `play`.

    Attributes:
        keep, roll: Dice → the event.
        play: State, seat, event → next state. Raises Illegal.
    """

    keep: Callable[[Faces], Event]
    roll: Callable[[Faces], Event]
    play: Callable[[Any, str, Event], Any]


def courses(
    verbs: Verbs, state: Any, table: OnTable, active: Faces, kept: Faces, roll_count: int | None
) -> tuple[Course, ...]:
    """Every legal course with at most one roll that leaves these dice; a course without a roll comes first.

    A course records that no dice are kept only if a roll follows. A roll may end the turn.

    Args:
        active, kept: The dice on the table, as in `game.on_table`.
        roll_count: The number of rolls; None if unknown.
    """
    proposed = [*(_at_rest(verbs, table, active, kept) if roll_count in (0, None) else ())]
    proposed += _rolled(verbs, table, active, kept) if roll_count in (1, None) else ()
    played = (_played(verbs, state, events) for events in proposed)
    return tuple(course for course in played if course is not None)


def _at_rest(verbs: Verbs, table: OnTable, active: Faces, kept: Faces) -> Iterator[tuple[Event, ...]]:
    if (table.dice or ()) == union(active, kept):
        if kept == (table.kept or ()):
            yield ()
        elif table.kept is None:
            yield (verbs.keep(kept),)


def _rolled(verbs: Verbs, table: OnTable, active: Faces, kept: Faces) -> Iterator[tuple[Event, ...]]:
    after = (verbs.keep(kept),) if kept else ()
    if table.dice is None or table.kept is not None:
        choices: list[tuple[tuple[Event, ...], Faces]] = [((), table.kept or ())]
    else:
        choices = [((verbs.keep(some),), some) for some in parts(without(table.dice, table.locked) or ())]
    for keeps, some in choices:
        dice = without(union(active, kept), union(some, table.locked))
        if dice:
            yield (*keeps, verbs.roll(dice), *after)


def _played(verbs: Verbs, state: Any, events: tuple[Event, ...]) -> Course | None:
    then = state
    try:
        for event in events:
            then = verbs.play(then, state.seat, event)
    except Illegal:
        return None
    return Course(events, then)
