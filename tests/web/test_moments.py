"""Events that change the turn are announced by the same sentence on the table, phones, television and overlay."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from companion.game.changes import Line
from companion.games.parts import GameSnapshot
from companion.plugins import plugin
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from engine.replay import Replay, read_game
from tests.kit.visitors import with_token

GOLDEN = Path(__file__).parents[1] / "golden"
SCREENS = ("/board", "/me/A/board", "/television/board", "/overlay/board")


def announced(name: str) -> dict[int, tuple[str, str]]:
    """Number of the line → sentence and kind, of a recorded game."""
    replay: Replay = read_game((GOLDEN / name).read_text(encoding="utf-8"))
    describe = plugin(replay.game.ID).view.moment
    found = {}
    for place, entry in enumerate(replay.record.entries[: len(replay.states) - 1]):
        line = Line(place + 1, f"{entry.seat} {replay.game.event_text(entry.event)}", "person")
        said = describe(replay.states[place], replay.states[place + 1], line)
        if said is not None:
            found[place + 1] = str(said[0]), said[1]
    return found


def test_every_turn_of_a_game_ends_with_an_announcement() -> None:
    replay = read_game((GOLDEN / "krone_amigo.txt").read_text(encoding="utf-8"))
    said = announced("krone_amigo.txt")
    ends = [n for n, entry in enumerate(replay.record.entries, 1) if type(entry.event).__name__ in ("Buy", "Pass")]
    assert sorted(said) == ends


def test_the_king_the_final_round_and_the_crown_are_great_moments() -> None:
    said = announced("krone_amigo.txt")
    assert said[272] == ("A claims the King. Final round: beat 8 × 3.", "great")
    assert said[286] == ("B takes the general.", "gain")
    assert said[306] == ("B takes the King. Now beat 9 × 3.", "great")
    assert said[321] == ("C does not beat 9 × 3.", "none")
    assert said[327] == ("B wins the crown.", "great")


def test_attack_defence_and_capture_are_announced() -> None:
    said = announced("knatsch_example_3_diane.txt")
    assert said[3] == ("C attacks B: castle-white.", "alert")
    assert said[8] == ("C beats the castle-white. B may defend it.", "alert")
    assert said[13] == ("B defends the castle-white.", "gain")


@pytest.fixture
def page(app_state: AppState, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(app_state, Pairing(tmp_path_factory.mktemp("app")), Settings(port=1, local_only=True, hosts=None))


def moment(app: Flask, path: str) -> str:
    """The announcement in a board, without tags and extra spaces; "" for none."""
    found = re.search(r"<div hidden data-key=\"moment\".*?</div>", app.test_client().get(path).text, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", found.group()).split()) if found else ""


@pytest.mark.parametrize("path", SCREENS)
def test_a_purchase_is_announced_on_every_screen(app_state: AppState, page: Flask, path: str) -> None:
    assert app_state.session.running is not None
    for event in ("A roll 5 5 2", "A keep 5 5 2"):
        app_state.session.running.table.enter(event)
    assert moment(page, path) == ""
    app_state.session.running.table.enter("A buy farmer")
    hands = path in ("/board", "/me/A/board")
    assert moment(page, path) == "Anna takes the Farmer." + (" Undo" if hands else "")
    app_state.session.running.table.enter("B roll 6 6 1")
    assert moment(page, path) == "Anna takes the Farmer."  # undo would take Bert’s roll back


def test_an_announcement_is_read_to_those_who_do_not_see(app_state: AppState, page: Flask) -> None:
    assert app_state.session.running is not None
    for event in ("A roll 5 5 2", "A buy farmer"):
        app_state.session.running.table.enter(event)
    assert 'data-announce="Anna takes the Farmer."' in page.test_client().get("/board").text


def test_the_defender_and_the_loser_against_the_king_read_what_to_do() -> None:
    replay = read_game((GOLDEN / "knatsch_example_3_diane.txt").read_text(encoding="utf-8"))
    board = plugin("knatsch").view.make_board(GameSnapshot("", replay.states[8], replay.record.players))
    assert board.attack.defends
    assert not board.gives_up
    earlier = GameSnapshot("", replay.states[7], replay.record.players)
    assert not plugin("knatsch").view.make_board(earlier).attack.defends


def test_an_incomplete_combination_is_refused_in_words(app_state: AppState, page: Flask) -> None:
    begin_game(app_state, "knatsch", ("Anna", "Bert"))
    client = with_token(page.test_client())
    form = {"csrf": "known", "seat": "A", "verb": "combination", "ask": "left", "alike": "3"}
    answer = client.post("/enter", data=form, headers={"X-Fragment": "board"})
    assert "Choose the three alike and the reserve die." in answer.text
    assert answer.headers["X-Refused"]  # the page keeps what was chosen
