"""The deck as data: the shipped file, custom decks, and messages about errors in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.knatsch.decks import deck_text, parse_deck, read_deck_file
from companion.plugins import plugin
from companion.resources import resource
from engine.errors import Unreadable
from engine.knatsch.deck import BOX, read_deck
from engine.knatsch.names import called as name
from engine.registry import LANGUAGES
from tests.engine.knatsch_table import after, knatsch_state

SMALL = "tournaments = 1\n[castles]\nred = 2\nlion = 1\n"


def test_the_shipped_file_is_the_deck_of_the_box_and_every_card_has_a_name_in_every_language() -> None:
    assert read_deck_file(resource("datasets", "decks", "knatsch.toml")) == BOX
    assert all(name(card, language) for card in (*BOX.ids, "king") for language in LANGUAGES)


def test_a_deck_file_with_names_of_an_earlier_version_still_reads() -> None:
    assert parse_deck(SMALL + '[name]\nen = "Lions"\n[names]\ncastle-lion = { en = "Den" }') == parse_deck(SMALL)


def test_a_deck_in_one_line_reads_back() -> None:
    assert read_deck(str(BOX)) == BOX
    known = "castle-blue=4-4-4+1 castle-red=3-3-3+2 2*castle-red tournament king=5-5-5+1"
    assert str(read_deck(known)) == known


def test_combinations_learned_in_a_game_are_written_as_a_deck_file_that_can_be_read() -> None:
    state = after(
        knatsch_state("castle-red", "castle-blue"), "A reveal left stack 4-4-4+1", "A combination king 5-5-5+1"
    )
    learned = state.learned()
    assert parse_deck(deck_text(learned)) == learned
    assert 'stack = ["4-4-4+1"]' in deck_text(learned)
    assert len(learned.cards) == len(BOX.cards)


def test_a_crest_of_ones_own_has_its_word_as_name() -> None:
    assert parse_deck(SMALL).crests == ("castle-lion", "castle-red")
    assert name("castle-lion", "nl") == "burcht lion"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("castles = ", "is no TOML"),
        (SMALL + "dragons = 3\n[specials]\ndragon = 1", "no card “dragon”"),
        (SMALL + "[specials]\ndragon = 1", "no card “dragon”"),
        (SMALL + "[specials]\nstack = -1", "number of cards from 0 to 99"),
        (SMALL + "[specials]\nstack = true", "number of cards from 0 to 99"),
        (SMALL + "[combinations]\ncastle-red = ['3-3-3+2', '3-3-3+2', '3-3-3+2']", "3 combinations for 2 cards"),
        (SMALL + "[combinations]\ncastle-red = '3-3-3+2'", "are a list"),
        (SMALL + "[combinations]\ncastle-red = ['3-3-3+6']", "sixes are worth nothing"),
        ("king = 5\n" + SMALL, "written like"),
        ("queen = 5\n" + SMALL, "“queen” says nothing about a deck"),
        ("castles = 3", "is a table"),
        ("[castles]\nred = 3", "at least two crests"),
        ("[castles]\nred = 3\nBLUE = 2", "no card “castle-BLUE”"),
    ],
)
def test_a_mistake_in_a_deck_file_gets_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        parse_deck(text)


def test_a_new_game_of_knatsch_knows_its_deck(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(SMALL, encoding="utf-8")
    assert plugin("krone").deck_tags(None) == {}
    assert plugin("knatsch").deck_tags(None) == {"Deck": str(BOX)}
    assert plugin("knatsch").deck_tags(own) == {"Deck": "castle-lion 2*castle-red tournament king=?"}
    with pytest.raises(Unreadable, match="no deck files"):
        plugin("krone").deck_tags(own)


def test_files_that_are_no_decks_are_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"missing\.toml: cannot be read"):
        read_deck_file(tmp_path / "missing.toml")
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8\xff\xe0\x00")
    with pytest.raises(Unreadable, match=r"picture\.toml: is not text"):
        read_deck_file(tmp_path / "picture.toml")
    (tmp_path / "huge.toml").write_bytes(b"#" * 300_000)
    with pytest.raises(Unreadable, match=r"huge\.toml: too large"):
        read_deck_file(tmp_path / "huge.toml")
