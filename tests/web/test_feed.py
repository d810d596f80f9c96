"""The feed of a game for other programs, and the example in the documentation."""

from __future__ import annotations

import json
import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.server.bootstrap import RunningApp
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from companion.web.view_models.feed import final_lines
from engine.replay import read_game, replay_record
from tests.kit.served_app import enter, served_app

ROOT = Path(__file__).parents[2]
TURN = ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[RunningApp]:
    with served_app(tmp_path) as running_app:
        yield running_app


def feed_of(home: RunningApp) -> dict[str, Any]:
    with urllib.request.urlopen(home.server.address + "feed") as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def test_the_feed_contains_the_dice_the_cards_and_the_events(home: RunningApp) -> None:
    enter(home, *TURN, "B roll 6 4 1", "B keep 6")
    found = feed_of(home)
    assert (found["game"], found["round"], found["winner"], found["asking"]) == ("krone", 1, None, False)
    assert found["turn"] == {"seat": "B", "name": "Bert", "active": [4, 1], "kept": [6], "to_roll": 2}
    assert found["players"][0]["cards"] == ["farmer"]
    assert [(event["kind"], event["dice"], event["card"]) for event in found["events"]] == [
        ("roll", [5, 5, 2], None),
        ("keep", [5, 5, 2], None),
        ("purchase", [], "farmer"),
        ("roll", [6, 4, 1], None),
        ("keep", [6], None),
    ]


def test_only_turns_that_are_over_are_final(home: RunningApp) -> None:
    enter(home, *TURN)
    assert [event["final"] for event in feed_of(home)["events"]] == [True] * 3
    enter(home, "B roll 6 4 1")
    assert [event["final"] for event in feed_of(home)["events"]] == [True] * 3 + [False]


def test_what_a_question_may_change_is_not_final() -> None:
    replay = read_game((ROOT / "tests" / "golden" / "krone_amigo.txt").read_text(encoding="utf-8"))
    assert final_lines(replay) == len(replay.record.entries)
    assert final_lines(replay, [20]) == 19
    begun = replay_record(replace(replay.record, entries=replay.record.entries[:4]))
    assert final_lines(begun) == 3


def test_knatsch_has_the_same_shape(home: RunningApp) -> None:
    begin_game(home.app_state, "knatsch", ("Anna", "Bert"))
    enter(home, "A deal castle-red", "B deal castle-blue 3-3-3+1", "A reveal left castle-green 1-1-1+1")
    enter(home, "A target left", "A roll 6 5 5 3 2 1")
    found = feed_of(home)
    assert found["turn"] == {"seat": "A", "name": "Anna", "active": [6, 5, 5, 3, 2, 1], "kept": [], "to_roll": 0}
    assert found["events"][-1]["kind"] == "roll"
    assert [player["cards"] for player in found["players"]] == [["castle-red"], ["castle-blue"]]


def example() -> Callable[[str], Iterator[str]]:
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "streaming.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)  # the documentation's own example
    follow: Callable[[str], Iterator[str]] = names["follow"]
    return follow


def test_the_documented_example_prints_every_final_roll_and_purchase(home: RunningApp) -> None:
    heard: list[str] = []
    enough = threading.Event()

    def listen() -> None:
        for line in example()(home.server.address):
            heard.append(line)
            if "Bert: roll 6 4 1" in heard:
                enough.set()
                return

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    enter(home, *TURN, "B roll 6 4 1")
    assert not enough.wait(1.0)  # he has only just thrown: it may still be corrected
    enter(home, "B keep 6 4 1", "B pass")
    assert enough.wait(20), heard
    assert heard.index("Anna: purchase farmer") < heard.index("Bert: roll 6 4 1")


def test_the_stream_is_empty_without_a_game(tmp_path: Path) -> None:
    with served_app(tmp_path, players=()) as running_app:
        assert feed_of(running_app) is None


@pytest.mark.parametrize(
    ("link", "to", "leads"),
    [
        ("spectator", "television", "/television"),
        ("spectator", "//evil.example", "/"),
        ("host", "television", "/television"),
        ("camera", "television", "/phone"),
    ],
)
def test_a_spectator_s_link_may_lead_to_the_television_and_nowhere_else(
    app_state: AppState, tmp_path: Path, link: str, to: str, leads: str
) -> None:
    pairing = Pairing(tmp_path)
    client = create_app(app_state, pairing, Settings(port=1, local_only=False)).test_client()
    answer = client.get(f"/pair/{link}/{pairing.word(link)}?to={to}")
    assert (answer.status_code, answer.location) == (303, leads)
