"""When a line is corrected, what followed from the wrong one is put right, if a small change does it.

Works on the words of events alone and asks the rules what is legal, so it knows no game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.changes import Line
from companion.course import Course
from engine.errors import CourtsideError
from engine.games import SEATS

MOST_PUT_RIGHT = 8  # lines; whatever needs more is for people to correct


def put_right(course: Course, was: tuple[str, ...], now: tuple[str, ...]) -> Course:
    """The course after `was` became `now`, with the lines that are no longer legal changed where one of these
    makes them so:

    a die that was misread is set aside or changed as what it is; two cards that were taken for each other change
    places; a throw that was no card's is a roll. Lines changed have negative numbers. The course itself where that
    does not help.
    """
    gone, come = _dice(was) - _dice(now), _dice(now) - _dice(was)
    swaps = [(a, b) for a in gone for b in come]
    right = course
    for _ in range(MOST_PUT_RIGHT):
        broken = right.replay.broken
        if broken is None:
            return right
        better = _better(right, broken.index, swaps)
        if better is None:
            return course
        right = better
    return course


def _better(course: Course, index: int, swaps: list[tuple[str, str]]) -> Course | None:
    """The course with the line at `index` changed so that it is legal, the change that keeps most lines legal
    first."""
    best: Course | None = None
    line = course.lines[index]
    cards = course.game.tableaux(course.replay.states[index])[SEATS.index(line.seat)]
    for move in _instead(line.move, cards, swaps):
        new = Line(-1 - index, f"{line.seat} {move}", line.by, line.confidence, line.frame, line.seconds)
        try:
            then = course.spliced(index, 1, [new])
        except CourtsideError:
            continue  # no event of this game
        reach = len(then.replay.states)
        if reach > index + 1 and (best is None or reach > len(best.replay.states)):
            best = then
    return best


def _instead(move: str, cards: Sequence[str], swaps: list[tuple[str, str]]) -> Iterator[str]:
    verb, _, rest = move.partition(" ")
    for a, b in swaps:
        left, arrow, right = rest.partition(">")
        words = left.split()
        if a in words:
            words[words.index(a)] = b
            yield f"{verb} {' '.join(words)} {arrow}{right}"
    if verb == "use":
        _, _, dice = rest.partition(" ")
        for card in dict.fromkeys(cards):
            yield f"use {card} {dice}"
        if ">" in dice:
            yield f"roll {dice.partition('>')[2]}"


def _dice(events: tuple[str, ...]) -> Counter[str]:
    """The dice that lie there after these events: those rolled, or those after the arrow."""
    words = [word for event in events for word in event.rpartition(">")[2].split()]
    return Counter(word for word in words if word in "123456")
