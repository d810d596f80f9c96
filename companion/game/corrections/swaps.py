"""Later lines repaired after a correction, where a small change makes them legal again.

It works on the words of events and asks the rules what is legal, so it knows no game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.game.changes import Line
from companion.game.referee.alike import kind
from companion.game.timeline import Timeline
from engine.errors import CourtsideError
from engine.games import SEATS

MOST_PUT_RIGHT = 12  # lines; people correct what needs more


def put_right(timeline: Timeline, was: tuple[str, ...], now: tuple[str, ...], after: int = 0) -> Timeline:
    """The course after `was` became `now`, which ends before the line at `after`, with later lines changed where that
    makes them legal.

    A misread die is set aside or turned as what it really is, and not at all where a card turned it to what it already
    showed. Two cards that were confused change places. A roll by a card that was not used is a roll. A die that the
    wrong lines set aside and the right ones do not is set aside later, and the other way round, and is not rolled
    again. What followed a wrong end of turn belongs to the same player. A changed line has the negative number of the
    line it replaces, a new one 0. The course itself is returned where that does not help.
    """
    gone, come = _dice(was) - _dice(now), _dice(now) - _dice(was)
    swaps = [(a, b) for a in gone for b in come]
    freed = [card for card in cards(was) if card not in cards(now)]
    kept = _kept(was), _kept(now)
    strayed = {event[0] for event in was} - {event[0] for event in now}
    right = timeline
    for _ in range(MOST_PUT_RIGHT):
        broken = right.replay.broken
        if broken is None:
            return right
        if broken.index < after:
            return timeline  # a person's new line is not changed
        right = _given_back(right, broken.index, strayed)
        if right.replay.broken is None or right.replay.broken.index > broken.index:
            continue
        better = _better(right, after, broken.index, freed, swaps, kept[0] - kept[1], kept[1] - kept[0])
        if better is None:
            return timeline
        right = better
    return timeline


def _given_back(timeline: Timeline, index: int, strayed: set[str]) -> Timeline:
    """The course with the line at `index` given to the player on turn, if it was another player's."""
    line, turn = timeline.lines[index], timeline.replay.states[index].seat
    if line.by != "camera" or line.seat not in strayed or line.seat == turn:
        return timeline
    return timeline.spliced(index, 1, [replace(line, number=-abs(line.number), event=f"{turn} {line.move}")])


def own_cards(timeline: Timeline, index: int, seat: str) -> Sequence[str]:
    """This player's cards before the line at `index`."""
    return timeline.game.tableaux(timeline.replay.states[index])[SEATS.index(seat)]


def _better(
    timeline: Timeline,
    after: int,
    index: int,
    freed: Sequence[str],
    swaps: list[tuple[str, str]],
    unkept: Counter[str],
    overkept: Counter[str],
) -> Timeline | None:
    """The course with one line changed so that the line at `index` is legal; the change that keeps most lines legal
    comes first.

    Args:
        freed: Cards that are free now.
        unkept, overkept: Dice to set aside later, and dice that were set aside already.
    """
    best: Timeline | None = None
    line = timeline.lines[index]
    own = sorted(
        [*freed, *own_cards(timeline, index, line.seat)], key=lambda card: not _does_the_same(card, line.event)
    )
    instead = [*_unturned(line.move, swaps), *_instead(line.move, own, swaps, overkept)]
    tries: list[tuple[int, tuple[str, ...]]] = [(index, (move,) if move else ()) for move in instead]
    last = next((i for i in range(index - 1, after - 1, -1) if timeline.lines[i].move.startswith("keep ")), None)
    later = " ".join(unkept.elements())
    if last is not None and later and timeline.lines[last].number > 0:
        tries.append((last, (f"{timeline.lines[last].move} {later}",)))
    if last is None and later:
        tries += [(index, (f"keep {later}", move)) for move in instead if move]
    for place, moves in tries:
        old = timeline.lines[place]
        new = [Line(0, f"{old.seat} {move}", old.by) for move in moves[:-1]]
        try:
            then = timeline.spliced(place, 1, [*new, *(_changed(old, move) for move in moves[-1:])])
        except CourtsideError:
            continue  # no event of this game
        reach = len(then.replay.states)
        if reach > index + len(moves) and (best is None or reach > len(best.replay.states)):
            best = then
    return best


def _does_the_same(card: str, event: str) -> bool:
    """Whether this card would do what the card of this event does."""
    words = event.split()
    return words[1] == "use" and kind((" ".join([*words[:2], card, *words[3:]]),)) == kind((event,))


def _changed(line: Line, move: str) -> Line:
    """The line with another event, and the negative number of the line it replaces."""
    return Line(-abs(line.number), f"{line.seat} {move}", line.by, line.confidence, line.frame, line.seconds)


def _unturned(move: str, swaps: list[tuple[str, str]]) -> Iterator[str]:
    """The use of a card without the die that already showed what it should; empty if nothing is left of it."""
    use, arrow, right = move.partition(">")
    words, after = use.split(), right.split()
    for a, b in swaps if arrow else ():
        if a in words[2:] and b in after:
            before, then = words[2:], list(after)
            before.remove(a)
            then.remove(b)
            yield f"use {words[1]} {' '.join(before)} > {' '.join(then)}" if before else ""


def _instead(move: str, own: Sequence[str], swaps: list[tuple[str, str]], overkept: Counter[str]) -> Iterator[str]:
    verb, _, rest = move.partition(" ")
    if verb in ("keep", "roll") and overkept:
        left_ = " ".join((Counter(rest.split()) - overkept).elements())
        yield f"{verb} {left_}" if left_ else ""
    for a, b in swaps:
        left, arrow, right = rest.partition(">")
        words = left.split()
        if a in words:
            words[words.index(a)] = b
            yield f"{verb} {' '.join(words)} {arrow}{right}".rstrip()
    if verb == "use":
        _, _, dice = rest.partition(" ")
        for card in dict.fromkeys(own):
            yield f"use {card} {dice}"
        if ">" in dice:
            yield f"roll {dice.partition('>')[2].strip()}"


def cards(events: Iterable[str]) -> list[str]:
    """The cards used in these events."""
    return [event.split()[2] for event in events if event[2:].startswith("use ")]


def _kept(events: tuple[str, ...]) -> Counter[str]:
    """The dice set aside in these events."""
    return Counter(die for event in events if event[2:].startswith("keep ") for die in event.split()[2:])


def _dice(events: tuple[str, ...]) -> Counter[str]:
    """The dice on the table after these events: those rolled, or those after the arrow."""
    words = [word for event in events for word in event.rpartition(">")[2].split()]
    return Counter(word for word in words if word in "123456")
