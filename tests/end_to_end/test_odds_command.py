"""`courtside odds`: JSON for other programs; one sentence and status 2 for impossible input."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.odds import command
from engine.krone.advice.goals import GOALS


def asked(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(command, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    assert set(found) == {"odds", "best", "milliseconds"}
    return found


def test_the_example_of_the_documentation() -> None:
    found = asked("--cards", "laborer,guard,fool", "--active", "5,3,3", "--goal", "hunter")
    assert list(found["odds"]) == ["hunter"]
    hunter = found["odds"]["hunter"]
    assert hunter["p"] == pytest.approx(0.3465230876, abs=1e-10)
    assert hunter["fraction"] == "10476463/30233088"
    assert hunter["method"] == "exact"
    assert hunter["low"] == hunter["p"] == hunter["high"]
    assert found["best"]["hunter"] == {"do": "use", "card": "fool", "dice": [5], "to": []}


def test_all_seventeen_goals_without_a_choice_and_the_roll_before_the_first_roll() -> None:
    found = asked()
    assert list(found["odds"]) == list(found["best"]) == list(GOALS)
    assert all(action == {"do": "roll"} for action in found["best"].values())
    assert found["odds"]["farmer"]["fraction"] == "193/243"


def test_used_adders_join_the_first_roll() -> None:
    used = asked("--cards", "laborer", "--used", "laborer", "--goal", "merchant")
    farmer = asked("--cards", "farmer", "--goal", "merchant")
    assert used["odds"] == farmer["odds"]


def test_kept_dice_alone_mean_that_all_are_set_aside() -> None:
    found = asked("--kept", "3,3,3", "--goal", "guard", "--goal", "hunter")
    assert found["odds"]["guard"]["fraction"] == "1/1"
    assert found["best"]["guard"] == {"do": "stop"}
    assert found["odds"]["hunter"]["p"] == 0


def test_the_final_rounds_question_has_the_key_beat() -> None:
    cards = "farmer,charlatan,charlatan,charlatan"
    found = asked("--cards", cards, "--kept", "2,2,2,2,2,2,2", "--beat", "7x2", "--equal")
    assert found["odds"] == {"beat": {"p": 1.0, "fraction": "1/1", "method": "exact", "low": 1.0, "high": 1.0}}
    assert asked("--cards", cards, "--kept", "2,2,2,2,2,2,2", "--beat", "7x2")["odds"]["beat"]["p"] == 0


def test_no_supply_limit_lets_more_dice_in() -> None:
    cards = ",".join(["general", "farmer", *["charlatan"] * 5, "laborer", "guard"])
    assert asked("--cards", cards, "--goal", "maid", "--supply", "none")["odds"]["maid"]["p"] > 0.5


def test_people_get_a_line_a_goal() -> None:
    result = CliRunner().invoke(command, ["--active", "1,1,4"])
    assert result.exit_code == 0
    lines = {words[0]: " ".join(words[1:]) for words in map(str.split, result.output.splitlines())}
    assert lines["farmer"] == "100.000% set aside 4 1 1 certain"
    assert lines["guard"] == "16.667% set aside 1 1 1/6"
    assert lines["king"] == "– out of reach"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--active", "7,1,1"),
        ("--active", "1,1"),
        ("--active", "1,1,x"),
        ("--cards", "farmer", "--active", "1,2,3"),
        ("--used", "laborer", "--active", "1,2,3,4"),
        ("--cards", "wizard"),
        ("--goal", "queen"),
        ("--goal", "seven"),
        ("--beat", "seven"),
        ("--beat", "7x7"),
        ("--equal",),
        ("--supply", "many"),
        ("--duty-met",),
        (
            "--cards",
            "general," + "charlatan," * 9 + "laborer,guard,hunter,pawnbroker,knight",
            "--ruleset",
            "riogrande2007",
            "--supply",
            "none",
        ),
        ("--cards", "laborer", "--used", "laborer", "--ruleset", "riogrande2007"),
        ("--cards", ",".join(["general", "farmer", *["charlatan"] * 5, "laborer", "guard"]), "--used", "laborer,guard"),
    ],
)
def test_an_impossible_position_gets_one_sentence_and_status_2(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.strip().count("\n") == 0
    assert result.stderr.strip()


def test_a_card_already_owned_is_marked_as_such() -> None:
    cards = ("--cards", "farmer", "--goal", "farmer", "--goal", "maid")
    odds = asked(*cards)["odds"]
    assert odds["farmer"]["owned"] is True
    assert "owned" not in odds["maid"]
    lines = CliRunner().invoke(command, list(cards)).output.splitlines()
    assert [line.startswith("farmer") for line in lines if "owned" in line] == [True]


def test_the_help_explains_the_option_beat_for_both_games() -> None:
    for game, example in (("krone", "7x2 for seven 2s"), ("knatsch", "3-3-3+2")):
        said = " ".join(CliRunner().invoke(command, [game, "--help"]).output.split())
        assert example in said.split("--beat")[1]


def test_the_game_comes_first_and_the_older_option_still_works() -> None:
    dice = ("--beat", "3-3-3+2", "--throws", "1", "--json")
    first, older = (CliRunner().invoke(command, [*words, *dice]) for words in (["knatsch"], ["--game", "knatsch"]))
    assert (first.exit_code, json.loads(first.stdout)["odds"]) == (0, json.loads(older.stdout)["odds"])
