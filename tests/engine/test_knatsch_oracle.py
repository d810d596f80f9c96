"""Knatsch against a second, plain implementation: same moves allowed, same position after each."""

from __future__ import annotations

import random

import pytest

from engine.dice import rolls
from engine.knatsch.deck import BOX
from engine.knatsch.events import SIDES, Event, Guard, Keep, Lose, Pass, Roll, Stop, Target, Under, event_text
from engine.knatsch.rules import can, play
from engine.knatsch.state import State
from engine.registry import SEATS
from tests.engine.plain_knatsch import PlainKnatsch
from tests.kit.knatsch_random import STACKED, game
from tests.referee.plain_table import tried


def same(state: State, table: PlainKnatsch) -> None:
    """The two implementations agree on the table and on the player to move."""
    assert (state.winner or "?") == ("?" if table.winner is None else SEATS[table.winner])
    for player, cards, guarded in zip(state.seated, table.cards, table.guarded, strict=True):
        assert [[card.id, str(card.shows or "")] for card in player.cards] == cards
        assert sorted(player.guarded_castles) == guarded["castle"]
        assert [player.guarded_special] * (player.guarded_special is not None) == guarded["special"]
    for side in SIDES:
        stack = [card and [card.id, str(card.shows or "")] for card in state.stack(side)]
        assert stack == table.stacks[side]
    if state.finished:
        return
    assert state.turn == SEATS[table.turn]
    assert (state.revenge, state.attempted, state.put_under) == (table.revenge, table.again, table.under)
    assert (state.attempt is not None) == bool(table.place)
    if state.attempt is not None:
        assert state.attempt.seat == SEATS[table.who]
        assert (state.attempt.throws, state.to_roll) == (table.throws, table.to_roll())
        assert tuple(state.attempt.leading) == table.beat


def anything(chance: random.Random, state: State) -> tuple[str, Event]:
    """A random event, mostly of the seat that acts."""
    seat = state.seat if chance.random() < 0.8 else chance.choice(state.seats)
    cards = [card.id for player in state.seated for card in player.cards]
    own = [card.id for card in state.player(seat).cards]
    tried: list[Event] = [Stop(), Pass(), *map(Under, SIDES), *(Target(place) for place in state.places())]
    tried += [Guard(tuple(chance.sample(own, min(len(own), n)))) for n in (1, 2)] if own else []
    tried += [Guard((chance.choice(cards),)), Lose(chance.choice(cards), chance.choice(SIDES))]
    if state.attempt:
        dice = state.attempt.dice or (1, 2, 3, 4, 5, 6)
        tried = [Keep(tuple(chance.sample(dice, chance.randint(0, 6)))) for _ in range(3)]
        tried += [Roll(chance.choice(rolls(n))) for n in (state.to_roll, chance.randint(1, 6)) if n]
        tried += [Stop(), Pass(), Under("left"), Guard((chance.choice(cards),))]
    return seat, chance.choice(tried)


@pytest.mark.parametrize("seed", range(12))
def test_the_engine_agrees_with_a_plain_second_implementation(seed: int) -> None:
    chance = random.Random(500 + seed)
    deck, players = chance.choice((BOX, STACKED)), chance.randint(2, 6)
    table = PlainKnatsch(players, [card.id for card in deck.cards], str(deck.king or ""))
    for state, seat, event in game(chance, players, deck, most=160):
        same(state, table)
        if not state.dealing:
            for _ in range(2):
                odd_seat, odd_event = anything(chance, state)
                text = f"{odd_seat} {event_text(odd_event)}"
                after = tried(table, text)
                assert (after is not None) == can(state, odd_seat, odd_event), (text, state)
                if after is not None:
                    same(play(state, odd_seat, odd_event), after)
        table.line(f"{seat} {event_text(event)}")
