"""`legal` is what `play` accepts: for every event of the vocabulary, in positions of every kind; and perft counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest

from engine.dice import rolls
from engine.errors import Illegal
from engine.knatsch.combination import EVERY_PRINTED
from engine.knatsch.deck import BOX, Deck
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
from engine.knatsch.game import legal, play, position_text
from engine.knatsch.position import read_position
from engine.knatsch.state import State
from engine.registry import SEATS
from tests.kit.knatsch_random import STACKED, states_of_every_kind

GOLDEN = Path(__file__).parents[1] / "golden" / "knatsch_perft.txt"
SHOWN = (None, *EVERY_PRINTED)


@cache
def vocabulary(players: int, deck: Deck) -> tuple[Event, ...]:
    """Every event that can be written for this number of players and this deck, sensible or not (pairs of guarded
    castles only)."""
    places = [
        *map(Top, SIDES),
        TheKing(),
        *(Held(s, c) for s in SEATS[: players + 1] for c in (*deck.ids, "castle-lion")),
    ]
    events: list[Event] = [Stop(), Pass(), *map(Under, SIDES), *map(Target, places)]
    events += [Roll(dice) for number in range(1, 8) for dice in rolls(number)]
    events += [Keep(dice) for number in range(7) for dice in rolls(number)] + [Roll((0, 1, 2, 3, 4, 5))]
    events += [Deal(card, shows) for card in deck.ids for shows in SHOWN]
    events += [Reveal(side, card, shows) for side in SIDES for card in deck.ids for shows in SHOWN]
    events += [Learn(place, shows) for place in places for shows in EVERY_PRINTED]
    events += [Guard(cards) for number in (1, 2) for cards in combinations(deck.ids, number)]
    events += [Guard((card, card)) for card in deck.ids] + [Guard(deck.crests[:3])]
    return tuple(events + [Lose(card, side) for card, side in product(deck.ids, SIDES)])


def accepted(state: State, sample: random.Random | None) -> Iterator[tuple[str, Event]]:
    """What `play` accepts, tried for every seat; events of a seat that neither acts nor may place a guard are
    sampled."""
    events = vocabulary(state.players, state.deck)
    for seat in state.seats:
        busy = seat in (state.seat, state.guarding)
        for event in events if busy or sample is None else sample.sample(events, 200):
            try:
                play(state, seat, event)
            except Illegal:
                continue
            yield seat, event


def test_legal_lists_exactly_the_events_that_play_accepts() -> None:
    """Positions of every kind from random games: dealing, choosing, throwing, defence, tournaments, the revenge, …"""
    chance = random.Random(8)
    for kind, state in states_of_every_kind(random.Random(81), 2):
        listed = legal(state)
        assert len(set(listed)) == len(listed), (kind, position_text(state))
        assert set(listed) == set(accepted(state, chance)), (kind, position_text(state))


def counted(state: State, depth: int) -> int:
    """Number of legal sequences of `depth` events."""
    moves = legal(state)
    return len(moves) if depth == 1 else sum(counted(play(state, seat, event), depth - 1) for seat, event in moves)


def _table() -> Iterator[tuple[str, str, list[int]]]:
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            deck, position, counts = line.split(" | ")
            yield deck, position, [int(count) for count in counts.split()]


@pytest.mark.parametrize(("deck", "position", "counts"), list(_table()))
def test_perft(deck: str, position: str, counts: list[int]) -> None:
    from engine.knatsch.deck import read_deck

    known = {"box": BOX, "stacked": STACKED}.get(deck) or read_deck(deck)
    players = position.split(" / left")[0].count("/") + 1
    state = read_position(position, players, known)
    assert [counted(state, depth + 1) for depth in range(len(counts))] == counts
