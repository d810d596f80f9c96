"""Repairs later lines after a correction if a small change makes them legal again.

It uses only properties that events of all games share, and the rules decide what is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.game.changes import Line
from companion.game.moves import Move, Moves, moves_from
from companion.game.referee.alike import kind
from companion.game.timeline import Timeline
from engine.dice import dice_text
from engine.errors import CourtsideError
from engine.games import SEATS, Event, Game

MAX_REPAIRS = 12  # largest number of changed lines; players correct the rest


def repaired(timeline: Timeline, was: Moves, now: Moves, after: int = 0) -> Timeline:
    """Returns the course with later lines changed so that they are legal again after `was` became `now`.

    `now` ends before the line at `after`.

    - A misread die is set aside or turned with its true face. A card that only turned it to this face is dropped.
    - Two confused cards change places.
    - A reroll by a card that was not used becomes a normal roll.
    - A die set aside only in the wrong lines is set aside later, and vice versa; it is not rolled again.
    - Lines after a wrong end of turn belong to the same player.

    A changed line has the negative number of the line it replaces, a new one 0. If no change helps, the course itself
    is returned.
    """
    old, new = _dice(was) - _dice(now), _dice(now) - _dice(was)
    swaps = [(a, b) for a in old for b in new]
    freed = [card for card in cards(was) if card not in cards(now)]
    kept = _kept(was), _kept(now)
    strayed = {move.seat for move in was} - {move.seat for move in now}
    right = timeline
    for _ in range(MAX_REPAIRS):
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
    swaps: Sequence[tuple[int, int]],
    unkept: Counter[int],
    overkept: Counter[int],
) -> Timeline | None:
    """The course with one line changed so that the line at `index` is legal; the change that keeps most lines legal
    comes first.

    Args:
        freed: Cards that are free now.
        unkept, overkept: Dice to set aside later, and dice that were set aside already.
    """
    best: Timeline | None = None
    game, moves = timeline.game, moves_from(timeline, 0, index + 1)
    move = moves[index]
    own = sorted([*freed, *own_cards(timeline, index, move.seat)], key=lambda card: not _does_the_same(card, move))
    instead = [*_unturned(move.event, swaps), *_instead(game, move.event, own, swaps, overkept)]
    tries: list[tuple[int, tuple[Event, ...]]] = [(index, () if event is None else (event,)) for event in instead]
    last = next((i for i in range(index - 1, after - 1, -1) if moves[i].verb == "keep"), None)
    later = tuple(unkept.elements())
    if last is not None and later and timeline.lines[last].number > 0:
        kept = moves[last].event
        tries.append((last, (replace(kept, dice=(*kept.dice, *later)),)))
    if last is None and later:
        keep = game.read_event(f"keep {dice_text(later)}")
        tries += [(index, (keep, event)) for event in instead if event is not None]
    for place, events in tries:
        old = timeline.lines[place]
        texts = [game.event_text(event) for event in events]
        new = [Line(0, f"{old.seat} {text}", old.by) for text in texts[:-1]]
        try:
            then = timeline.spliced(place, 1, [*new, *(_changed(old, text) for text in texts[-1:])])
        except CourtsideError:
            continue  # no event of this game
        reach = len(then.replay.states)
        if reach > index + len(events) and (best is None or reach > len(best.replay.states)):
            best = then
    return best


def _does_the_same(card: str, move: Move) -> bool:
    """Whether this card has the same effect as the card of this move."""
    return move.verb == "use" and kind((Move(move.seat, replace(move.event, card=card)),)) == kind((move,))


def _changed(line: Line, move: str) -> Line:
    """The line with another event, and the negative number of the line it replaces."""
    return Line(-abs(line.number), f"{line.seat} {move}", line.by, line.confidence, line.frame, line.seconds)


def _unturned(event: Event, swaps: Sequence[tuple[int, int]]) -> Iterator[Event | None]:
    """The use of a card without dice that already showed the new face; None if no die is left."""
    for a, b in swaps if event.verb == "use" else ():
        if a in event.before and b in event.after:
            before, after = list(event.before), list(event.after)
            before.remove(a)
            after.remove(b)
            yield replace(event, before=tuple(before), after=tuple(after)) if before else None


def _instead(
    game: Game, event: Event, own: Sequence[str], swaps: Sequence[tuple[int, int]], overkept: Counter[int]
) -> Iterator[Event | None]:
    """Other events that the line may mean; None means that the line is dropped."""
    if event.verb in ("keep", "roll") and overkept:
        remaining = Counter(event.dice) - overkept
        yield replace(event, dice=tuple(remaining.elements())) if remaining else None
    named = next((name for name in ("dice", "before", "after") if getattr(event, name, ())), "")
    for a, b in swaps:
        if named and a in (dice := list(getattr(event, named))):
            dice[dice.index(a)] = b
            yield replace(event, **{named: tuple(dice)})
    if event.verb == "use":
        for card in dict.fromkeys(own):
            yield replace(event, card=card)
        if event.before:
            yield game.read_event(f"roll {dice_text(event.after)}")


def cards(moves: Iterable[Move]) -> list[str]:
    """The cards used in these moves."""
    return [move.event.card for move in moves if move.verb == "use"]


def _kept(moves: Moves) -> Counter[int]:
    """The dice set aside in these moves."""
    return Counter(die for move in moves if move.verb == "keep" for die in move.shows)


def _dice(moves: Moves) -> Counter[int]:
    """The dice that these moves show."""
    return Counter(die for move in moves for die in move.shows if die)
