"""Positions in one line: they survive a round trip, are complete, and are refused if impossible."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.krone.position import position_text, read_position
from engine.krone.state import RULESETS, new_game
from engine.replay import read_game
from tests.engine.positions import POSITIONS


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_read_back(name: str) -> None:
    state = read_position(POSITIONS[name])
    assert read_position(position_text(state)) == state
    assert "\n" not in position_text(state)
    assert '"' not in position_text(state)


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_first_position_is_the_short_one(players: int, ruleset: str) -> None:
    state = new_game(players, RULESETS[ruleset])
    seats = "; ".join(f"{seat} -" for seat in "ABCDE"[:players])
    assert position_text(state) == f"{ruleset}; {seats}; turn A; round 1; start A"
    assert read_position(f"{ruleset}; {seats}") == state


def test_the_display_has_the_cards_that_no_player_holds() -> None:
    state = read_position("A farmer fool; B farmer charlatan")
    assert (state.display["farmer"], state.display["fool"], state.display["guard"]) == (0, 0, 2)
    assert read_position("A farmer; B -; display farmer 0 guard 5").display["guard"] == 5


def test_card_names_of_any_language_and_any_case() -> None:
    assert read_position("AMIGO2006; a bauer WERKMAN; b 衛兵; TURN b") == read_position(
        "A farmer laborer; B guard; turn B"
    )


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("", "two to five seats"),
        ("A farmer", "two to five seats"),
        ("A -; C -", "two to five seats"),
        ("A -; B -; round", "“” is not a number"),
        ("A -; B -; A farmer", "cannot be read at “A farmer”"),
        ("A -; B -; nonsense", "cannot be read at “nonsense”"),
        ("A jester; B -", "there is no card “jester”"),
        ("A farmer farmer; B -", "cannot have two of farmer"),
        ("A fool fool; B -", "cannot have two of fool"),
        ("A hunter; B hunter", "more of hunter"),
        ("A -; B -; turn C", "not name a seat in this game"),
        ("A -; B -; active 5 5", "2 dice lie there, 3 are expected"),
        ("A -; B -; active 5 5 7; duty", "“7” is not a die"),
        ("A -; B -; active 5 5 5", "one must be"),
        ("A -; B -; active -; kept 5 5 5; duty", "one must be"),
        ("A -; B -; used guard", "does not have"),
        ("A farmer; B -; used farmer", "cannot use"),
        ("A maid; B -; used maid", "before the first roll"),
        ("riogrande2007; A guard; B -; used guard", "before the first roll"),
        ("A king queen; B -", "come together"),
        ("A king; B -; threshold 7x2", "come together"),
        ("A king queen; B -; threshold 6x2", "at least seven"),
        ("A king queen; B -; threshold 7x9", "at least seven"),
        ("A -; B -; final", "no final round"),
        ("A king queen; B -; threshold 7x2; final", "after another player has taken the King"),
        ("A queen; B king; threshold 7x2", "in the final round only"),
        ("A king queen; B -; threshold 7x2; won A", "after the final round"),
        ("A -; B -; open C 5 5 5", "an open purchase"),
        ("A -; B -; round 0", "count from 1"),
        ("A -; B -; dice 2", "three"),
        ("A -; B -; display farmer", "“” is not a number"),
    ],
)
def test_an_impossible_position_is_refused(position: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_position(position)
    assert sentence in str(refused.value)


def test_a_record_may_start_from_a_position() -> None:
    text = '[Position "A guard; B -; turn B; round 4; start B"]\n[Players "Anna" "Bert"]\n\n'
    text += "B roll 5 5 5\nB keep 5 5 5\nB buy farmer\n"
    replay = read_game(text)
    assert replay.state.tableau("B") == ("farmer",)
    assert (replay.state.seat, replay.state.round) == ("A", 4)
    assert read_game(replay.text()).state == replay.state


@pytest.mark.parametrize(
    ("tags", "sentence"),
    [
        ('[Position "A -; B -; C -"]', "3 seats, not 2"),
        ('[Position "riogrande2007; A -; B -"]', "different ruleset"),
        ('[Position "dice none; A -; B -"]\n[DiceSupply "12"]', "dice supply"),
        ('[Position "A -; B -; round x"]', "not a number"),
    ],
)
def test_a_position_that_contradicts_the_header_names_its_line(tags: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_game('[Players "Anna" "Bert"]\n' + tags)
    assert sentence in str(refused.value)
    assert refused.value.line == 2
