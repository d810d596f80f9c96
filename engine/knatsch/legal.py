"""Lists every event that `play` accepts in a state. They are never too many: at most the 462 results of six dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.dice import parts, rolls
from engine.knatsch.combination import EVERY_PRINTED
from engine.knatsch.deck import is_special
from engine.knatsch.events import (
    SIDES,
    Deal,
    Event,
    Guard,
    Held,
    Keep,
    Learn,
    Lose,
    Pass,
    Reveal,
    Roll,
    Stop,
    Target,
    TheKing,
    Top,
    Under,
)
from engine.knatsch.rules import can
from engine.knatsch.state import State


def legal(state: State) -> tuple[tuple[str, Event], ...]:
    """Every (seat, event) that `play` accepts."""
    if state.finished:
        return ()
    found = [(state.seat, event) for event in _proposed(state)]
    if state.guarding:
        found += [(state.guarding, event) for event in _guards(state, state.guarding)]
    return tuple((seat, event) for seat, event in found if can(state, seat, event))


def _proposed(state: State) -> Iterator[Event]:
    """Candidates for the acting seat; `can` decides."""
    if state.dealing:
        for card in state.deck.crests:
            yield from (Deal(card, shows) for shows in (None, *EVERY_PRINTED))
        return
    yield from _seen(state)
    if state.attempt:
        if state.attempt.to_roll:
            yield from map(Roll, rolls(state.attempt.to_roll))
        elif state.attempt.dice:
            yield from map(Keep, parts(tuple(face for face in state.attempt.dice if face != 6)))
        yield from (Stop(), Pass())
        yield from _guards(state, state.turn)
    elif state.revenge:
        yield from (Lose(castle, side) for castle in state.player(state.turn).castles for side in SIDES)
        yield from _guards(state, state.turn)
    else:
        yield from map(Under, SIDES)
        yield from map(Target, state.places())
        yield from _guards(state, state.turn)
        yield Pass()


def _seen(state: State) -> Iterator[Event]:
    """Cards that may be revealed, and combinations that may become known."""
    hidden = [side for side in SIDES if state.hidden(side)]
    if hidden:
        for turned in dict.fromkeys(card.id for card, _ in state.unseen):
            yield from (Reveal(side, turned, shows) for side in hidden for shows in (None, *EVERY_PRINTED))
    for side in SIDES:
        top = state.top(side)
        if top is not None and top.shows is None:
            yield from (Learn(Top(side), shows) for shows in EVERY_PRINTED)
    for seat in state.seats:
        for card in state.player(seat).cards:
            if card.shows is None:
                yield from (Learn(Held(seat, card.id), shows) for shows in EVERY_PRINTED)
    if state.king is None:
        yield from (Learn(TheKing(), shows) for shows in EVERY_PRINTED)


def _guards(state: State, seat: str) -> Iterator[Event]:
    player = state.player(seat)
    for size in (1, 2):
        yield from (Guard(pair) for pair in combinations(player.castles, size))
    yield from (Guard((card.id,)) for card in player.cards if is_special(card.id))
