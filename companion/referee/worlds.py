"""The game as recorded, and as it would stand if something recorded before was otherwise.

A die more in hand or a card nobody owns, used: a purchase that is still open says why. A die set aside that nobody
rolled: the last roll was misread.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from companion.game.changes import Line, Question
from companion.game.timeline import Timeline, legal
from companion.referee.alike import kind
from companion.referee.sight import SURE_DIE, minus
from companion.referee.story import is_throw
from companion.referee.swaps import cards
from companion.referee.thrown import BOUGHT
from companion.referee.verdict import Finding
from engine.dice import UNREAD, Faces, dice_text, together
from engine.krone.cards import CARDS, ORDER
from engine.krone.events import Roll, Use, event_text
from engine.krone.state import State

MISREAD = -3.0  # … on top of what the probabilities said when it was read
UNSURE = -0.5  # … if it was not read well then
AGAIN = -5.0  # a throw that was not allowed takes the place of the one before
OTHERWISE = -2.0  # another answer than the one on record …
BEHIND = -0.5  # … for each place it was behind that
UNDONE = -4.0  # a throw on record was none: a die was carried and misread
AGAIN_UNSURE = -3.0  # … and of which a die could not be read; a card that may throw again is likelier
MOST_TRIED = 5
MOST_PURCHASES = 2
LAST_OPEN = 3  # turns of a player whose purchases may still show

Answers = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class World:
    """state: the position; found: what must be recorded first; cost: log chance; instead: what it was first read as;
    reopened: questions that have another answer here, each with that answer first, in the order of `found`."""

    state: State
    found: tuple[Finding, ...] = ()
    cost: float = 0.0
    kind: Literal["recorded", "answered", "bought", "misread", "again", "undone"] = "recorded"
    instead: tuple[tuple[str, ...], ...] = ()
    reopened: tuple[Answers, ...] = ()


def answered(timeline: Timeline, asked: Sequence[Question], free: Sequence[str] = ()) -> Iterator[World]:
    """Worlds in which a question about this turn has another answer: what is seen now may tell. An answer that uses a
    card which an earlier question has recorded needs another answer there. free: cards that answers must not use."""
    for number, question in enumerate(asked):
        place = timeline.standing(question.lines)
        if place is None or (free and not {*free} & {*cards(question.answers[0])}):
            continue
        for rank, answer in enumerate(question.answers[1:MOST_TRIED], 1):
            used = cards(answer)
            if {*free} & {*used}:
                continue
            then = timeline.spliced(place, len(question.lines), [Line(0, event, "camera") for event in answer])
            found = tuple(_instead(place, question.lines, answer))
            others = tuple(
                sorted(  # what now seems right may have been another card that does the same
                    without(question.answers, answer),
                    key=lambda other: (bool({*free} & {*cards(other)}), kind(other) != kind(answer)),
                )
            )
            world = World(then.state, found, OTHERWISE + BEHIND * rank, "answered", reopened=((answer, *others),))
            if then.replay.broken is None:
                yield world
            elif used and not free:
                for earlier in answered(then, asked[:number], used):
                    yield replace(
                        earlier,
                        found=(*found, *earlier.found),
                        cost=world.cost + earlier.cost,
                        reopened=(*world.reopened, *earlier.reopened),
                    )


def without(answers: Answers, answer: tuple[str, ...]) -> Answers:
    """The other answers."""
    return tuple(other for other in answers if other != answer)


def _instead(place: int, lines: tuple[int, ...], answer: tuple[str, ...]) -> Iterator[Finding]:
    """What makes the adjacent `lines`, the first at `place`, say `answer`; all of them anew, to be asked about."""
    for number, event in zip_longest(lines, answer):
        if number is None:
            yield Finding(event, 0.5, at=place)
        elif event is None:
            yield Finding("", 0.5, instead=number)
            continue
        else:
            yield Finding(event, 0.5, instead=number)
        place += 1


def bought(timeline: Timeline, most: int = MOST_PURCHASES) -> Iterator[World]:
    """Worlds in which open purchases of one player have been made; each open turn took one of the cards it could.

    Only her last turns: what she bought before would have shown, and an evening may leave them all open.
    """
    turns = list(timeline.open_turns())
    for seat in sorted({turn.seat for turn in turns}):
        own = [turn.index for turn in turns if turn.seat == seat]
        yield from _bought(timeline, seat, own[-LAST_OPEN:][0], (), 0.0, most)


def _bought(
    timeline: Timeline, seat: str, first: int, found: tuple[Finding, ...], cost: float, most: int
) -> Iterator[World]:
    """What this seat bought in turns from the line at `first` on."""
    if most == 0:
        return
    for turn in timeline.open_turns():
        if turn.index < first or turn.seat != seat:
            continue
        for card in CARDS:
            event = f"{turn.seat} buy {card}"
            if card == "king" or not legal(timeline.game, timeline.replay.states[turn.index], event):
                continue
            then = timeline.spliced(turn.index, 0, [Line(0, event, "camera")])
            if then.replay.broken is None:
                more = (*found, Finding(event, 0.5, at=turn.index))
                price = cost + BOUGHT - 0.02 * ORDER[card]
                yield World(then.state, more, price, "bought")
                yield from _bought(then, seat, turn.index + 1, more, price, most - 1)


def misread(
    timeline: Timeline, wanted: Faces, chances: dict[int, tuple[float, ...]], unsure: bool = False
) -> Iterator[World]:
    """Worlds in which one die of the last throw shows something of `wanted`. chances: per recorded value of that
    throw, the six chances when it was read; unsure: only dice that were not read well then."""
    line = timeline.lines[-1] if timeline.lines else None
    event = None if line is None else timeline.game.read_event(line.move)
    if line is None or line.by != "camera" or not isinstance(event, Roll | Use) or not is_throw(event):
        return  # a person's word
    dice = event.dice if isinstance(event, Roll) else event.after
    for was in sorted(set(dice)):
        doubtful = was == UNREAD or max(chances.get(was, (1.0,))) < SURE_DIE
        if unsure and not doubtful:
            continue
        for shows in sorted(set(wanted) - {was}):
            thrown = together(minus(dice, (was,)), (shows,))
            again = Roll(thrown) if isinstance(event, Roll) else Use(event.card, event.before, thrown)
            text = f"{line.seat} {event_text(again)}"
            then = timeline.spliced(len(timeline.lines) - 1, 1, [Line(0, text, "camera")])
            if then.replay.broken is None:
                cost = 0.0
                if was != UNREAD:  # likelier or less than what is on record, then and now
                    read = chances.get(was, (0.0,) * 6)
                    odds = max(1e-4, read[shows - 1] / max(read[was - 1], read[shows - 1], 1e-4))
                    cost = math.log(odds) + (UNSURE if doubtful else MISREAD)
                found = Finding(text, 0.5, instead=line.number)
                was_read = () if was == UNREAD else ((line.event,),)
                yield World(then.state, (found,), cost, "misread", was_read)


def thrown_again(timeline: Timeline, active: Faces, kept: Faces, unsure: bool) -> World | None:
    """The world in which the last roll did not count, as when a die leant on something, and this one does. unsure: one
    of its dice could not be read well."""
    if not timeline.lines or not timeline.lines[-1].move.startswith("roll "):
        return None
    line, turn = timeline.lines[-1], timeline.state.turn
    if not turn.duty or kept != turn.kept or len(active) != len(turn.active) or active == turn.active:
        return None
    roll = f"{line.seat} roll {dice_text(active)}"
    then = timeline.spliced(len(timeline.lines) - 1, 1, [Line(0, roll, "camera")])
    found = Finding(roll, 0.5, instead=line.number)
    return World(then.state, (found,), AGAIN_UNSURE if unsure else AGAIN, "again", ((line.event,),))


def undone(timeline: Timeline) -> World | None:
    """The world in which the last throw on record was none, nor was what was set aside for it."""
    lines = timeline.lines
    last = len(lines) - 1
    if last < 1 or lines[last].by != "camera" or not lines[last].move.startswith("roll "):
        return None
    first = last
    while first and lines[first - 1].by == "camera" and lines[first - 1].move.startswith("keep "):
        first -= 1
    then = timeline.spliced(first, len(lines) - first, [])
    if not then.state.turn.rolled:
        return None  # the first throw of a turn
    found = tuple(Finding("", 0.5, instead=line.number) for line in lines[first:])
    return World(then.state, found, UNDONE, "undone")
