"""Invariants in random games of Knatsch: cards are conserved, none has two owners, records and positions can be parsed.

`python -m scripts.knatsch_games` plays ten thousand games.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.errors import Unreadable
from engine.knatsch.deck import BOX, Card, is_castle
from engine.knatsch.events import Keep, event_text
from engine.knatsch.position import position_text, read_position
from engine.knatsch.state import Player
from engine.record import Entry
from engine.replay import Replay, read_game, replay_record
from tests.engine.edits import edited
from tests.engine.knatsch_table import after, knatsch_state
from tests.kit.knatsch_invariants import check_game, check_position, record_of
from tests.kit.knatsch_random import game

GAMES = 10


@pytest.mark.parametrize("part", range(5))
def test_random_games_keep_every_promise(part: int) -> None:
    for seed in range(part, GAMES, 5):
        check_game(seed, read_record=seed % 10 < 2)


def test_the_promises_can_be_broken() -> None:
    """A surplus card, a card with two owners, and a guard on another player's castle are each noticed."""
    good = knatsch_state("castle-red", "castle-blue", left="castle-red", right="stack")
    check_position(good, None)
    first, second = good.seated
    red = Card("castle-red")
    for player in (Player((red, red)), Player((red,), guarded_castles=("castle-blue",)), Player((*first.cards, red))):
        with pytest.raises(AssertionError):
            check_position(replace(good, seated=(player, second)), good)
    with pytest.raises(AssertionError):
        check_position(replace(good, stacks=(good.stacks[0][1:], good.stacks[1])), good)


def whole_game(seed: int, players: int = 3) -> Replay:
    entries = tuple(Entry(seat, event) for _, seat, event in game(random.Random(seed), players, BOX))
    return replay_record(record_of(players, BOX, entries))


def test_a_correction_is_replayed_and_the_first_broken_event_is_named() -> None:
    replay = whole_game(6)
    place = next(
        i for i, entry in enumerate(replay.record.entries) if isinstance(entry.event, Keep) and entry.event.dice
    )
    old = replay.record.entries[place]
    broken = edited(replay, place, 1, Entry(old.seat, Keep(old.event.dice[:-1])))
    assert broken.broken is not None
    assert "roll " in str(broken.broken.reason)
    assert broken.broken.index == place + 1
    repaired = edited(broken, place, 1, old)
    assert repaired.broken is None
    assert repaired.state == replay.state


def test_undo_takes_back_one_event_at_a_time() -> None:
    replay = whole_game(7)
    for state in reversed(replay.states[-20:-1]):
        replay = edited(replay, len(replay.record.entries) - 1, 1)
        assert replay.state == state


def test_a_record_stopped_in_the_middle_goes_on_from_its_position() -> None:
    replay = whole_game(8)
    middle = len(replay.states) // 2
    state = read_position(position_text(replay.states[middle]), 3, BOX)
    for entry in replay.record.entries[middle:]:
        state = after(state, f"{entry.seat} {event_text(entry.event)}")
    assert state == replay.state


def test_damaged_records_give_line_and_reason_and_never_another_game() -> None:
    """One changed character in 60 places gives a line and a reason, or a text that states what was read."""
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
        ("A target dragon", "left, right, king, or a player’s letter and card"),
        ("A combination left 3-3-4+1", "must be the same"),
        ("A combination left 3-3+1", "three equal dice and one reserve"),
        ("A target Z castle-red", "choose a card"),
        ("A keep", "or “none”"),
        ("A stop now", "takes nothing after it"),
        ("A guard", "needs one or two castles"),
        ("A buy stack", "is not a known entry"),
        ("G pass", "is not a seat"),
    ],
)
def test_unreadable_text_gets_one_sentence(line: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason) as caught:
        read_game(f'[Game "knatsch"]\n[Players "Anna" "Bert"]\n\n{line}\n')
    assert caught.value.line == 4


def test_the_four_dice_of_a_card_may_be_entered_one_by_one() -> None:
    text = '[Game "knatsch"]\n[Players "Anna" "Bert"]\nA deal red castle 3 3 2 3\nB deal castle-blue\n'
    assert "A deal castle-red 3-3-3+2\n" in read_game(text + "A combination B castle-blue 1 4 4 4\n").text()
    assert "4-4-4+1" in read_game(text + "A combination B castle-blue 1 4 4 4\n").text()
    with pytest.raises(Unreadable, match="three equal dice and one reserve die"):
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
        ('[Deck "castle-red castle-blue=3-3-3"]', "three equal dice and one reserve"),
        ('[Position "A castle-red / B"]', "one part per player"),
        (
            '[Position "A castle-red / B castle-blue / left / right 45*? / turn=A"]',
            "46 cards that the position does not show",
        ),
        ('[Position "A castle-red castle-red / B castle-blue / left / right 45*? / turn=A"]', "twice"),
        ('[Position "A castle-red! / B castle-blue / left / right 46*? / turn=A"]', "no guard"),
        (
            '[Position "A castle-red / B castle-blue / left / right 46*? / turn=A dice=777777"]',
            "the target of the rolls",
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
