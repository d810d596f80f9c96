"""Finds the misread die that explains why the recorded dice do not pay for a purchase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from companion.game.changes import Line
from companion.game.corrections.beforehand import what_comes_before
from companion.game.corrections.writing import replacing
from companion.game.log import GameLog
from companion.game.referee.verdict import Verdict
from engine.errors import CourtsideError
from vision.types import SeenDie

MAX_OFFERED = 2
Fix = tuple[int, str]  # number of a line, and the event that corrects it


def misread_die(book: GameLog, event: str, dice: Sequence[SeenDie]) -> tuple[Fix, ...]:
    """The corrections of one die of this turn that make a purchase legal, the likeliest first, at most MAX_OFFERED.

    Args:
        book: A branch of the game's own.
        dice: The dice in sight; the likelihood of a correction is the probability of the corrected face.
    """
    found: dict[Fix, float] = {}
    for line, was, now, fixed in _with_one_die_changed(book, event[0]):
        try:
            right = replacing(book, line.number, fixed, "person")
            timeline = book.timeline.spliced(right.place, right.removed, right.lines)
        except CourtsideError:
            continue
        if timeline.replay.broken is None and what_comes_before(timeline, None, Verdict(), event) is not None:
            found[line.number, fixed] = max((die.probabilities[now - 1] for die in dice if die.value == was), default=0)
    return tuple(sorted(found, key=lambda fix: -found[fix])[:MAX_OFFERED])


def _with_one_die_changed(book: GameLog, seat: str) -> Iterator[tuple[Line, int, int, str]]:
    """The lines of this seat's turn that brought dice, the newest first: line, face, other face, event with it."""
    ends = book.game.ends_turn
    for line in takewhile(
        lambda line: line.seat == seat and not ends(book.game.read_event(line.move)), reversed(book.lines)
    ):
        event = book.game.read_event(line.move)
        name = "dice" if event.verb == "roll" else "after" if event.verb == "use" else ""
        values: tuple[int, ...] = getattr(event, name, ())
        for was in sorted(set(values)):
            for now in {1, 2, 3, 4, 5, 6} - {was}:
                changed = list(values)
                changed[changed.index(was)] = now
                text = book.game.event_text(replace(event, **{name: tuple(changed)}))
                yield line, was, now, f"{seat} {text}"
