"""Decides whether a die whose face differs from the die set aside later was misread or turned by a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.game.changes import Line
from companion.game.corrections.swaps import own_cards
from companion.game.referee.questions import MAX_ANSWERS
from companion.game.timeline import Timeline
from companion.plugins import effect

Answers = tuple[tuple[str, ...], ...]


def misread_or_turned(timeline: Timeline, place: int, was: str) -> Answers:
    """The answers to "What happened?" after the line at `place` was corrected from `was`.

    The first is the current line, then each card that may have changed its dice to those of `was`. Empty without such a
    card.
    """
    line = timeline.lines[place]
    found = tuple(_turned(timeline, place, line, was))[: MAX_ANSWERS - 1]
    return ((line.event,), *found) if found else ()


def _turned(timeline: Timeline, place: int, line: Line, was: str) -> Iterator[tuple[str, ...]]:
    now, then = Counter(line.move.split()[1:]), Counter(was.split()[2:])
    old, new = list((now - then).elements()), list((then - now).elements())
    if not (line.move.startswith("keep ") and len(old) == len(new) == 1):
        return
    for card in own_cards(timeline, place, line.seat):
        if effect(card) != "change":
            continue
        use = f"{line.seat} use {card} {old[0]} > {new[0]}"
        replayed = timeline.spliced(place, 1, [Line(0, use, line.by), Line(0, was, line.by)])
        if replayed.replay.broken is None:
            yield use, was
