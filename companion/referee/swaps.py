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


def put_right(course: Course, was: tuple[str, ...], now: tuple[str, ...], after: int = 0) -> Course:
    """The course after `was` became `now`, which ends before the line at `after`, with the lines that are no longer
    legal changed where one of these makes them so:

    a die that was misread is set aside or changed as what it is; two cards that were taken for each other change
    places; a throw that was no card's is a roll; a die that the wrong lines set aside and the right ones do not is set
    aside later, and the other way round. Lines changed have negative numbers. The course itself where that does not
    help.
    """
    gone, come = _dice(was) - _dice(now), _dice(now) - _dice(was)
    swaps = [(a, b) for a in gone for b in come]
    freed = [card for card in _cards(was) if card not in _cards(now)]
    kept = _kept(was), _kept(now)
    right = course
    for _ in range(MOST_PUT_RIGHT):
        broken = right.replay.broken
        if broken is None:
            return right
        better = _better(right, after, broken.index, freed, swaps, kept[0] - kept[1], kept[1] - kept[0])
        if better is None:
            return course
        right = better
    return course


def _better(
    course: Course,
    after: int,
    index: int,
    freed: Sequence[str],
    swaps: list[tuple[str, str]],
    unkept: Counter[str],
    overkept: Counter[str],
) -> Course | None:
    """The course with a line changed so that the one at `index` is legal, the change that keeps most lines legal
    first. freed: cards that are free now; unkept, overkept: dice to be set aside later, and those that have been."""
    best: Course | None = None
    line = course.lines[index]
    cards = [*freed, *course.game.tableaux(course.replay.states[index])[SEATS.index(line.seat)]]
    tries = [(index, move) for move in _instead(line.move, cards, swaps, overkept)]
    last = next((i for i in range(index - 1, after - 1, -1) if course.lines[i].move.startswith("keep ")), None)
    if last is not None and unkept and course.lines[last].number > 0:
        tries.append((last, f"{course.lines[last].move} {' '.join(unkept.elements())}"))
    for place, move in tries:
        old = course.lines[place]
        new = Line(-1 - place, f"{old.seat} {move}", old.by, old.confidence, old.frame, old.seconds)
        try:
            then = course.spliced(place, 1, [new])
        except CourtsideError:
            continue  # no event of this game
        reach = len(then.replay.states)
        if reach > index + 1 and (best is None or reach > len(best.replay.states)):
            best = then
    return best


def _instead(move: str, cards: Sequence[str], swaps: list[tuple[str, str]], overkept: Counter[str]) -> Iterator[str]:
    verb, _, rest = move.partition(" ")
    if verb == "keep" and overkept:
        yield f"keep {' '.join((Counter(rest.split()) - overkept).elements())}"
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


def _cards(events: tuple[str, ...]) -> list[str]:
    """The cards used in these events."""
    return [event.split()[2] for event in events if event[2:].startswith("use ")]


def _kept(events: tuple[str, ...]) -> Counter[str]:
    """The dice set aside in these events."""
    return Counter(die for event in events if event[2:].startswith("keep ") for die in event.split()[2:])


def _dice(events: tuple[str, ...]) -> Counter[str]:
    """The dice that lie there after these events: those rolled, or those after the arrow."""
    words = [word for event in events for word in event.rpartition(">")[2].split()]
    return Counter(word for word in words if word in "123456")
