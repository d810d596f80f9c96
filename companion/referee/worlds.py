"""The game as recorded, and as it would stand if something recorded before was otherwise.

A die more in hand or a card nobody owns, used: a purchase that is still open says why. A die set aside that nobody
rolled: the last roll was misread.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from companion.changes import Line
from companion.course import Course, legal
from companion.referee.thrown import BOUGHT
from companion.referee.verdict import Finding
from engine.dice import UNREAD, Faces, dice_text, together
from engine.krone.cards import CARDS, ORDER
from engine.krone.state import State

MISREAD = -3.0  # … on top of what the probabilities said when it was read
AGAIN = -5.0  # a throw that was not allowed takes the place of the one before
MOST_PURCHASES = 2


@dataclass(frozen=True, slots=True)
class World:
    """state: the position; found: what must be recorded first; cost: log chance; instead: what it was first read
    as."""

    state: State
    found: tuple[Finding, ...] = ()
    cost: float = 0.0
    kind: Literal["recorded", "bought", "misread", "again"] = "recorded"
    instead: tuple[tuple[str, ...], ...] = ()


def bought(course: Course, most: int = MOST_PURCHASES) -> Iterator[World]:
    """Worlds in which open purchases have been made; each open turn took one of the cards it could."""
    yield from _bought(course, (), 0.0, most, -1)


def _bought(course: Course, found: tuple[Finding, ...], cost: float, most: int, last: int) -> Iterator[World]:
    if most == 0:
        return
    for turn in course.open_turns():
        if turn.index <= last:
            continue
        for card in CARDS:
            event = f"{turn.seat} buy {card}"
            if card == "king" or not legal(course.game, course.replay.states[turn.index], event):
                continue
            then = course.spliced(turn.index, 0, [Line(0, event, "camera")])
            if then.replay.broken is None:
                more = (*found, Finding(event, 0.5, at=turn.index))
                price = cost + BOUGHT - 0.02 * ORDER[card]
                yield World(then.state, more, price, "bought")
                yield from _bought(then, more, price, most - 1, turn.index)


def misread(course: Course, wanted: Faces, chances: dict[int, tuple[float, ...]]) -> Iterator[World]:
    """Worlds in which one die of the last roll shows something of `wanted`. chances: per recorded value of that
    roll, the six chances when it was read."""
    if not course.lines or not course.lines[-1].move.startswith("roll "):
        return
    line, state = course.lines[-1], course.state
    if line.by != "camera":
        return  # a person's word
    dice: Faces = state.turn.active
    for was in sorted(set(dice)):
        for shows in sorted(set(wanted) - {was}):
            rest = list(dice)
            rest.remove(was)
            roll = f"{line.seat} roll {dice_text(together(tuple(rest), (shows,)))}"
            then = course.spliced(len(course.lines) - 1, 1, [Line(0, roll, "camera")])
            if then.replay.broken is None:
                chance = 1.0 if was == UNREAD else max(1e-4, chances.get(was, (0.0,) * 6)[shows - 1])
                cost = math.log(chance) + (0.0 if was == UNREAD else MISREAD)
                found = Finding(roll, 0.5, instead=line.number)
                was_read = () if was == UNREAD else ((line.event,),)
                yield World(then.state, (found,), cost, "misread", was_read)


def thrown_again(course: Course, active: Faces, kept: Faces) -> World | None:
    """The world in which the last roll did not count, as when a die fell from the table, and this one does."""
    if not course.lines or not course.lines[-1].move.startswith("roll "):
        return None
    line, turn = course.lines[-1], course.state.turn
    if kept != turn.kept or len(active) != len(turn.active) or active == turn.active:
        return None
    roll = f"{line.seat} roll {dice_text(active)}"
    then = course.spliced(len(course.lines) - 1, 1, [Line(0, roll, "camera")])
    found = Finding(roll, 0.5, instead=line.number)
    return World(then.state, (found,), AGAIN, "again", ((line.event,),))
