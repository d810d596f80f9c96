"""Every course that the rules of Krone allow, found by exhaustive search: the oracle of `explain`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.dice import UNREAD, Faces, union, without
from engine.krone.cards import CARDS
from engine.krone.events import Event, Keep, Roll, Use
from engine.krone.explain import ROLLED_AT_ONCE
from engine.krone.legal import legal
from engine.krone.rules import play
from engine.krone.state import State
from tests.engine.krone_refusals import every_move

ALL_FACES = range(1, 7)


class Key(NamedTuple):
    """A course without the times at which dice are set aside: the other events, and the faces set aside before and
    after the roll (without a roll, all are in `after`)."""

    events: tuple[Event, ...]
    before: Faces = ()
    after: Faces = ()


Table = tuple[Faces, Faces]


def key(events: tuple[Event, ...]) -> Key:
    """The key of these events."""
    asides = [(), ()]
    rolled = max((place for place, event in enumerate(events) if isinstance(event, Roll)), default=-1)
    for place, event in enumerate(events):
        if isinstance(event, Keep):
            asides[place > rolled] = union(asides[place > rolled], event.dice)
    return Key(tuple(event for event in events if not isinstance(event, Keep)), *asides)


def every_course(state: State, cards: int) -> dict[Table, set[Key]]:
    """Every course of the running turn with at most one roll and `cards` cards that `explain` should return, by the
    dice that it leaves."""
    found: dict[Table, set[Key]] = {}
    for events, then in _tried(state, state.seat, cards, 1, ()):
        if then.turn.rolled or not events:
            found.setdefault((then.turn.active, then.turn.kept), set()).add(key(events))
    return {table: {one for one in keys if not _dispensable(one, keys)} for table, keys in found.items()}


def _tried(
    state: State, seat: str, cards: int, rolls: int, events: tuple[Event, ...]
) -> Iterator[tuple[tuple[Event, ...], State]]:
    yield events, state
    for event, then in _moves(state, seat):
        match event:
            case Roll():
                left = cards, rolls - 1
            case Use():
                left = cards - 1, rolls
            case Keep() if not events or not isinstance(events[-1], Keep):
                left = cards, rolls
            case _:
                continue
        if min(left) >= 0:
            yield from _tried(then, seat, *left, (*events, event))


@lru_cache(maxsize=10_000)
def _moves(state: State, seat: str) -> list[tuple[Event, State]]:
    """The events of the running turn that this player may enter next, each with the state after it."""
    return [
        (event, play(state, seat, event))
        for mover, event in every_move(legal(state, unread=True))
        # A roll once all dice are set aside begins another turn.
        if mover == seat and isinstance(event, Roll | Use | Keep) and not (isinstance(event, Roll) and state.turn.over)
    ]


def _dispensable(one: Key, keys: set[Key]) -> bool:
    """Whether a simpler course leaves the same dice."""
    return any(simpler in keys for simpler in _simpler(one))


def _simpler(one: Key) -> Iterator[Key]:
    """The course with a card or a turned die left out, or with an unread die where its face did not matter."""
    for place, event in enumerate(one.events):
        rest = one.events[:place], one.events[place + 1 :]
        if isinstance(event, Use) and CARDS[event.card].ability == "change":
            for fewer in ((), *((use,) for use in _with_fewer_dice(event))):
                yield one._replace(events=(*rest[0], *fewer, *rest[1]))
                yield from (one._replace(events=(*rest[0], *fewer, *later)) for later in _unturned(event, rest[1]))
        if isinstance(event, Use) and event.card == "queen" and event.after != (ROLLED_AT_ONCE,):
            yield one._replace(events=(*rest[0], Use("queen", (), (ROLLED_AT_ONCE,)), *rest[1]))
        if isinstance(event, Roll) or (isinstance(event, Use) and CARDS[event.card].ability == "reroll"):
            for face in set(event.after if isinstance(event, Use) else event.dice) - {UNREAD}:
                yield from _unread(one, place, face)


def _unturned(use: Use, later: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """The later events without that card: a die that it turned and one of them rerolls is rerolled as it was."""
    for place, event in enumerate(later):
        if isinstance(event, Use) and CARDS[event.card].ability == "reroll":
            for was, face in zip(use.before, use.after, strict=True):
                left = without(event.before, (face,))
                if left is not None:
                    yield (*later[:place], Use(event.card, (*left, was), event.after), *later[place + 1 :])


def _with_fewer_dice(use: Use) -> Iterator[Use]:
    if use.card == "alchemist":
        for face in set(use.before) & set(use.after):
            yield Use(use.card, without(use.before, (face,)) or (), without(use.after, (face,)) or ())
    elif use.card in ("noblewoman", "nobleman") and len(use.before) > 1:
        for i in range(len(use.before)):
            yield Use(use.card, use.before[:i] + use.before[i + 1 :], use.after[:i] + use.after[i + 1 :])


def _unread(one: Key, place: int, face: int) -> Iterator[Key]:
    """The course in which one of the dice rolled at this place was never read."""

    def unread(dice: Faces) -> Faces:
        return union(without(dice, (face,)) or (), (UNREAD,))

    event = one.events[place]
    now: Event = (
        Roll(unread(event.dice)) if isinstance(event, Roll) else Use(event.card, event.before, unread(event.after))
    )
    events = (*one.events[:place], now, *one.events[place + 1 :])
    yield one._replace(events=events)
    for later, use in enumerate(one.events[place + 1 :], place + 1):
        if isinstance(use, Use) and CARDS[use.card].ability == "reroll" and face in use.before:
            again = Use(use.card, unread(use.before), use.after)
            yield one._replace(events=(*events[:later], again, *events[later + 1 :]))
