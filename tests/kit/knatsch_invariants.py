"""Invariants of Knatsch in every position: cards are conserved, no card has two owners, records and positions survive a
round trip.

Tests check them in some games, `scripts/knatsch_games.py` in thousands.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from engine.knatsch.deck import BOX, Deck
from engine.knatsch.events import event_text
from engine.knatsch.game import read_event
from engine.knatsch.position import position_text, read_position
from engine.knatsch.state import State
from engine.record import Entry, Record
from engine.record_header import new_record
from engine.replay import read_game, replay_record
from tests.kit.knatsch_random import STACKED, game

NAMES = ("Anna", "Bert", "Carl", "Diane", "Manu", "Marc")


@dataclass(frozen=True, slots=True)
class GameCheck:
    """Counts of the checks in one game.

    Attributes:
        events: Number of events.
        positions_read, records_read: Number of positions and records that were parsed again.
        end: How it ended, as `how_it_ended`.
    """

    events: int
    positions_read: int
    records_read: int
    end: str


def check_game(seed: int, read_record: bool) -> GameCheck:
    """Plays random game number `seed` and asserts every invariant in every position.

    Args:
        read_record: Also write and parse the record, which takes longer than playing.
    """
    chance = random.Random(seed)
    players, deck = 2 + seed % 5, STACKED if seed % 4 == 0 else BOX
    entries: list[Entry] = []
    reached: list[State] = []
    positions = 0
    for before, seat, event in game(chance, players, deck):
        check_position(before, reached[-1] if reached else None)
        entries.append(Entry(seat, event))
        reached.append(before)
        assert read_event(event_text(event)) == event
        if chance.random() < 0.02:
            positions += 1
            assert read_position(position_text(before), players, deck) == before, position_text(before)
    ended = replay_record(record_of(players, deck, tuple(entries)), tuple(reached))
    assert ended.broken is None
    check_position(ended.state, None)
    if read_record:
        text = ended.text()
        read = read_game(text)
        assert read.text() == text
        assert read.states == ended.states
    return GameCheck(len(entries), positions, int(read_record), how_it_ended(ended.state))


def record_of(players: int, deck: Deck, entries: tuple[Entry, ...]) -> Record:
    """The record of a game with this deck and these entries."""
    header = new_record("knatsch", list(NAMES[:players]), Deck=str(deck))
    return Record(header.tags, entries)


def check_position(state: State, before: State | None) -> None:
    """Asserts every invariant of a position. Parts equal to those of the checked position `before` are skipped."""
    moved = before is None or any(
        getattr(state, field) is not getattr(before, field) for field in ("seated", "stacks", "unseen")
    )
    if moved or state.winner:
        _cards_conserved(state)
        _hands_lawful(state)
    if state.attempt and state.attempt.dice is not None:
        assert len(state.attempt.dice) == 6
        assert 1 <= state.attempt.throws <= 3


def _cards_conserved(state: State) -> None:
    held = [card for player in state.seated for card in player.cards]
    in_stacks = [card for stack in state.stacks for card in stack]
    if not state.dealing:
        assert len(held) + len(in_stacks) == len(state.deck.cards)
        assert in_stacks.count(None) == sum(count for _, count in state.unseen)
    known = Counter(card.id for card in (*held, *in_stacks) if card)
    whole = known + Counter({card.id: 0 for card in state.deck.cards})
    for card, count in state.unseen:
        whole[card.id] += count
    assert whole == Counter(card.id for card in state.deck.cards)


def _hands_lawful(state: State) -> None:
    for seat in state.seats:
        player = state.player(seat)
        owned = [card.id for card in player.cards if card.id != "tournament"]
        assert len(set(owned)) == len(owned)
        assert player.castles or state.dealing
        assert not player.wins or state.winner == seat
        assert set(player.guarded_castles) <= set(player.castles)
        assert len(player.guarded_castles) <= 2 * player.has("castle-guard")
        assert player.guarded_special is None or (player.has("special-guard") and player.has(player.guarded_special))


def how_it_ended(state: State) -> str:
    """One of "castles", "tournaments", "king", "unfinished"."""
    if state.winner is None:
        return "unfinished"
    winner = state.player(state.winner)
    if not winner.wins:
        return "king"
    return "castles" if len(winner.castles) >= 4 else "tournaments"
