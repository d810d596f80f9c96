"""`courtside replay`: JSON for other programs, sentences for people, and exit statuses for both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.commands.replay import command
from engine.krone.cards import CARDS
from tests.engine.example_records import EXAMPLE, FINISHED

pytestmark = pytest.mark.slow


def replayed(tmp_path: Path, content: str | bytes, *options: str) -> Result:
    file = tmp_path / "game.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return CliRunner().invoke(command, [str(file), *options])


def facts(tmp_path: Path, content: str) -> dict[str, Any]:
    result = replayed(tmp_path, content, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_the_example_as_json(tmp_path: Path) -> None:
    found = facts(tmp_path, EXAMPLE)
    display = found.pop("display")
    assert found == {
        "game": "krone",
        "ruleset": "amigo2006",
        "players": ["Anna", "Bert"],
        "finished": False,
        "winner": None,
        "winners": [],
        "round": 3,
        "seat": "A",
        "open": [],
        "tableaux": {"Anna": ["farmer", "philosopher"], "Bert": ["laborer", "hunter"]},
        "events": 19,
    }
    assert list(display) == list(CARDS)
    sold = {"farmer": 1, "philosopher": 1, "laborer": 1, "hunter": 0, "charlatan": 0, "maid": 2, "guard": 2, "fool": 2}
    assert display == dict.fromkeys(CARDS, 1) | sold


def test_a_finished_game_as_json(tmp_path: Path) -> None:
    found = facts(tmp_path, FINISHED)
    assert (found["finished"], found["winner"], found["seat"], found["open"]) == (True, "Anna", None, [])
    assert found["tableaux"]["Anna"][-2:] == ["queen", "king"]
    assert found["display"]["king"] == found["display"]["queen"] == 0


def test_king_and_queen_part_when_a_challenger_wins(tmp_path: Path) -> None:
    text = """[Players "Anna" "Bert"]
[Position "A charlatan farmer general; B laborer general farmer fool; display general 0; active 2; kept 2 2 2 2 2 2"]

A keep 2
A buy king
B roll 1 1 1 1 1 1
B keep 1 1 1 1 1 1
B buy charlatan
B use laborer
B roll 3 3 3 3 3 3 3 3
B keep 3 3 3 3 3 3 3 3
B pass
"""
    found = facts(tmp_path, text)
    assert found["tableaux"] == {
        "Anna": ["charlatan", "farmer", "general", "queen"],
        "Bert": ["charlatan", "farmer", "laborer", "general", "king"],
    }
    assert (found["seat"], found["winner"], found["round"]) == ("A", None, 2)


def test_fools_without_end_are_null(tmp_path: Path) -> None:
    assert facts(tmp_path, '[Ruleset "riogrande2007"]\n[Players "Anna" "Bert"]\n')["display"]["fool"] is None


def test_open_purchases_are_listed_also_at_the_end(tmp_path: Path) -> None:
    text = '[Players "Anna" "Bert"]\nA roll 5 5 2\nA keep 5 5 2\n'
    assert (facts(tmp_path, text)["open"], facts(tmp_path, text)["seat"]) == (["A"], "A")
    text += "B roll 5 5 2\n"
    assert (facts(tmp_path, text)["open"], facts(tmp_path, text)["seat"]) == (["A"], "B")


def test_people_read_sentences(tmp_path: Path) -> None:
    shown = replayed(tmp_path, '[Players "Anna" "大輔"]\nA roll 5 5 2\nA keep 5 5 2\n').output
    assert "Round 1, it is Anna's turn (A)." in shown
    assert "Anna (A) has a purchase that was not entered." in shown
    assert "大輔: no cards" in shown
    assert "Anna has won in round 2." in replayed(tmp_path, FINISHED).output


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "is not text"),
        ("[Game]".encode("utf-16"), "is not text"),
    ],
)
def test_unreadable_input_exits_with_status_2(tmp_path: Path, content: bytes, sentence: str) -> None:
    result = replayed(tmp_path, content, "--json")
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "game.txt" in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_missing_file_or_a_folder_exits_with_2(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        result = CliRunner().invoke(command, [str(path)])
        assert result.exit_code == 2
        assert str(path) in result.stderr
        assert "expected" in result.stderr


@pytest.mark.parametrize(
    ("content", "line", "sentence"),
    [
        (EXAMPLE.replace("A buy farmer", "A buy guard").encode(), 11, "the Guard costs three alike"),
        (EXAMPLE.replace("A keep 3", "A kep 3").encode(), 10, "“kep” is not a known entry"),
        (EXAMPLE.encode().replace(b"A keep 3\n", b"A keep 3\xff\n"), 10, "a byte that is not UTF-8 text"),
        (EXAMPLE.encode().replace(b"A keep 3\n", b"A keep\x003\n"), 10, "a byte that is not UTF-8 text"),
        (b"hello\n", 1, "has no players"),
        (EXAMPLE.replace('"*"', '"Bert"').encode(), 5, "does not match"),
    ],
)
def test_a_damaged_record_exits_with_3_line_and_reason(
    tmp_path: Path, content: bytes, line: int, sentence: str
) -> None:
    result = replayed(tmp_path, content, "--json")
    assert result.exit_code == 3
    assert f"line {line}: " in result.stderr
    assert sentence in result.stderr
    assert result.stdout == ""


def test_the_json_of_knatsch_shows_guards_stacks_and_a_running_attempt(tmp_path: Path) -> None:
    text = """[Game "knatsch"]
[Players "Anna" "Bert"]
[Position "A castle-red=3-3-3+2! castle-guard / B castle-green / left tournament 22*? / right 22*? / king=? turn=A"]

A reveal right catapult 4-4-4+1
A target right
A roll 6 5 5 3 2 1
A keep 5 5
"""
    found = facts(tmp_path, text)
    assert found["guards"] == {
        "Anna": {"castles": ["castle-red"], "special": None},
        "Bert": {"castles": [], "special": None},
    }
    assert found["stacks"]["left"] == [{"card": "tournament", "shows": None}, *[None] * 22]
    assert found["stacks"]["right"][0] == {"card": "catapult", "shows": "4-4-4+1"}
    assert found["king"] is None
    assert found["attempt"] == {
        "target": "right",
        "player": "Anna",
        "throws": 2,
        "to_beat": "4-4-4+1",
        "leader": None,
        "dice": [6, 5, 5, 3, 2, 1],
        "kept": [5, 5],
    }
