"""Random games of Knatsch keep every promise: cards are conserved, none owned twice, records and positions read back.

`COURTSIDE_KNATSCH_GAMES=10000` plays that many (about half an hour on one idle core).
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from knatsch_random import STACKED, game
from knatsch_table import after

from engine.errors import Unreadable
from engine.knatsch.deck import BOX, is_castle
from engine.knatsch.events import Keep, event_text
from engine.knatsch.game import read_event
from engine.knatsch.position import position_text, read_position
from engine.knatsch.state import State
from engine.record import Entry, Record
from engine.record_header import new_record
from engine.replay import Replay, played, read_game

GAMES = int(os.environ.get("COURTSIDE_KNATSCH_GAMES", "10"))


def check(state: State) -> None:
    """Everything that must hold in any position."""
    held = [card for player in state.seated for card in player.cards]
    lying = [card for stack in state.stacks for card in stack]
    if not state.dealing:
        assert len(held) + len(lying) == len(state.deck.cards)
        assert lying.count(None) == sum(count for _, count in state.unseen)
    known = Counter(card.id for card in (*held, *lying) if card)
    whole = known + Counter({card.id: 0 for card in state.deck.cards})
    for card, count in state.unseen:
        whole[card.id] += count
    assert whole == Counter(card.id for card in state.deck.cards)
    for seat in state.seats:
        player = state.player(seat)
        owned = [card.id for card in player.cards if card.id != "tournament"]
        assert len(set(owned)) == len(owned)
        assert player.castles or state.dealing
        assert not player.wins or state.winner == seat
        assert set(player.guarded_castles) <= set(player.castles)
        assert len(player.guarded_castles) <= 2 * player.has("castle-guard")
        assert player.guarded_special is None or (player.has("special-guard") and player.has(player.guarded_special))
    if state.attempt and state.attempt.dice is not None:
        assert len(state.attempt.dice) == 6
        assert 1 <= state.attempt.throws <= 3


@pytest.mark.parametrize("part", range(5))
def test_random_games_keep_every_promise(part: int) -> None:
    for seed in range(part, GAMES, 5):
        chance = random.Random(seed)
        players, deck = 2 + seed % 5, STACKED if seed % 4 == 0 else BOX
        entries, state = [], None
        for before, seat, event in game(chance, players, deck):
            if GAMES <= 50 or chance.random() < 0.1:  # every position, or in long runs a tenth of them
                check(before)
            entries.append(Entry(seat, event))
            assert read_event(event_text(event)) == event
            if chance.random() < 0.02:
                assert read_position(position_text(before), players, deck) == before, position_text(before)
            state = before
        assert state is not None
        ended = played(_record(players, deck_text=str(deck), entries=tuple(entries)))
        assert ended.broken is None
        check(ended.state)
        if seed % 10 < 2:  # reading takes longer than playing
            text = ended.text()
            assert read_game(text).text() == text
            assert read_game(text).state == ended.state


def _record(players: int, deck_text: str, entries: tuple[Entry, ...]) -> Record:
    names = ["Anna", "Bert", "Carl", "Diane", "Manu", "Marc"][:players]
    header = new_record("knatsch", names, Deck=deck_text)
    return Record(header.tags, entries)


def whole_game(seed: int, players: int = 3) -> Replay:
    entries = tuple(Entry(seat, event) for _, seat, event in game(random.Random(seed), players, BOX))
    return played(_record(players, str(BOX), entries))


def test_a_correction_is_replayed_and_the_first_broken_event_is_named() -> None:
    replay = whole_game(6)
    place = next(
        i for i, entry in enumerate(replay.record.entries) if isinstance(entry.event, Keep) and entry.event.dice
    )
    old = replay.record.entries[place]
    broken = replay.replace(place, Entry(old.seat, Keep(old.event.dice[:-1])))
    assert broken.broken is not None
    assert "dice are to be thrown" in str(broken.broken.reason)
    assert broken.broken.index == place + 1
    mended = broken.replace(place, old)
    assert mended.broken is None
    assert mended.state == replay.state


def test_undo_takes_back_one_event_at_a_time() -> None:
    replay = whole_game(7)
    for state in reversed(replay.states[-20:-1]):
        replay = replay.undo()
        assert replay.state == state


def test_a_record_stopped_in_the_middle_goes_on_from_its_position() -> None:
    replay = whole_game(8)
    middle = len(replay.states) // 2
    state = read_position(position_text(replay.states[middle]), 3, BOX)
    for entry in replay.record.entries[middle:]:
        state = after(state, f"{entry.seat} {event_text(entry.event)}")
    assert state == replay.state


def test_damaged_records_give_line_and_reason_and_never_another_game() -> None:
    """One character changed in 60 places: a line and a reason, or a text that says what it read."""
    text, chance = whole_game(9).text(), random.Random(9)
    lines = []
    for _ in range(60):
        place = chance.randrange(len(text))
        damaged = text[:place] + chance.choice('abcxyz 0123456789-+{}[]"\n?A') + text[place + 1 :]
        try:
            assert read_game(read_game(damaged).text()).text() == read_game(damaged).text()
        except Unreadable as error:
            lines.append((error.line, str(error)))
    assert len(lines) > 20
    assert all(line and reason for line, reason in lines)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A deal", "no card"),
        ("A deal dragon", "no card “dragon”"),
        ("A reveal up stack", "left or right"),
        ("A combination left 3-3-4+1", "must be alike"),
        ("A combination left 3-3+1", "three alike dice and one reserve"),
        ("A target Z castle-red", "say which card"),
        ("A keep", "or “none”"),
        ("A stop now", "stands alone"),
        ("A guard", "needs the card"),
        ("A buy stack", "is no event"),
        ("G pass", "is no seat"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(line: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason) as caught:
        read_game(f'[Game "knatsch"]\n[Players "Anna" "Bert"]\n\n{line}\n')
    assert caught.value.line == 4


def test_the_four_dice_of_a_card_may_be_told_one_by_one() -> None:
    text = '[Game "knatsch"]\n[Players "Anna" "Bert"]\nA deal red castle 3 3 2 3\nB deal castle-blue\n'
    assert "A deal castle-red 3-3-3+2\n" in read_game(text + "A combination B castle-blue 1 4 4 4\n").text()
    assert "4-4-4+1" in read_game(text + "A combination B castle-blue 1 4 4 4\n").text()
    with pytest.raises(Unreadable, match="three alike dice and one reserve die"):
        read_game(text + "A combination B castle-blue 1 4 4 5\n")


def test_names_in_other_languages_and_any_case_are_understood() -> None:
    lines = [
        "A deal Rote Burg",
        "B DEAL sininen linna",
        "A reveal Left Tornooi-kampioen 4-4-4+1",
        "A Combination b Blue Castle 3-3-3+2",
    ]
    text = read_game('[Game "Knatsch"]\n[Players "Anna" "Bert"]\n' + "\n".join(lines)).text()
    assert (
        "A deal castle-red\nB deal castle-blue\nA reveal left champion 4-4-4+1\nA combination B castle-blue 3-3-3+2"
        in text
    )


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        ('[Deck "castle-red 4*dragon"]', "no card “dragon”"),
        ('[Deck "castle-red castle-red"]', "at least two crests"),
        ('[Deck "castle-red castle-blue=3-3-3"]', "three alike dice and one reserve"),
        ('[Position "A castle-red / B"]', "a part for each player"),
        ('[Position "A castle-red / B castle-blue / left / right 45*? / turn=A"]', "46 more cards"),
        ('[Position "A castle-red castle-red / B castle-blue / left / right 45*? / turn=A"]', "twice"),
        ('[Position "A castle-red! / B castle-blue / left / right 46*? / turn=A"]', "no guard"),
        (
            '[Position "A castle-red / B castle-blue / left / right 46*? / turn=A dice=777777"]',
            "what the throws are for",
        ),
    ],
)
def test_a_header_that_makes_no_game_gets_one_sentence_at_its_line(tags: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason) as caught:
        read_game(f'[Game "knatsch"]\n[Players "Anna" "Bert"]\n{tags}\n')
    assert caught.value.line == 3


def test_every_castle_of_a_deck_is_a_castle() -> None:
    assert all(is_castle(card) for card in BOX.crests)
    assert not is_castle("castle-guard")
