"""The turn timer: chosen for a game, off by default; it shows the duration of a turn and never ends one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.game.turn_clock import TURN_LIMIT_TAG, TurnClock
from companion.server.bootstrap import RunningApp
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from tests.kit.axe import violations_now
from tests.kit.browser import SCREENS, browsing
from tests.kit.served_app import enter
from tests.web.played_out import play_to_the_end

TURN = ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer")


class Wall:
    """A clock that tests move on."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def wall(app_state: AppState) -> Wall:
    wall = Wall()
    app_state.turn_clock = TurnClock(wall)
    return wall


@pytest.fixture
def visitor(app_state: AppState, tmp_path: Path) -> FlaskClient:
    return create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()


def play(app_state: AppState, *lines: str) -> None:
    assert app_state.session.running is not None
    for line in lines:
        app_state.session.running.table.enter(line)


def test_a_game_has_no_limit_unless_one_was_chosen(app_state: AppState, visitor: FlaskClient) -> None:
    assert visitor.get("/turn").json == {}
    begin_game(app_state, "krone", ("Anna", "Bert"), **{TURN_LIMIT_TAG: "7"})  # a record from elsewhere
    assert visitor.get("/turn").json == {}


def test_each_turn_is_timed_from_its_beginning_and_again_when_it_is_undone(
    app_state: AppState, wall: Wall, visitor: FlaskClient
) -> None:
    begin_game(app_state, "krone", ("Anna", "Bert"), **{TURN_LIMIT_TAG: "90"})
    assert visitor.get("/turn").json == {"limit": 90, "elapsed": 0, "name": "Anna"}
    wall.now += 200
    play(app_state, *TURN[:2])
    assert visitor.get("/turn").json == {"limit": 90, "elapsed": 200, "name": "Anna"}  # and the turn goes on
    play(app_state, TURN[2])
    assert visitor.get("/turn").json == {"limit": 90, "elapsed": 0, "name": "Bert"}
    wall.now += 5
    assert app_state.session.running is not None
    app_state.session.running.table.undo()
    assert visitor.get("/turn").json == {"limit": 90, "elapsed": 0, "name": "Anna"}


def test_a_single_player_has_the_time_limit_for_each_turn(
    app_state: AppState, wall: Wall, visitor: FlaskClient
) -> None:
    begin_game(app_state, "yatzy", ("Anna",), **{TURN_LIMIT_TAG: "60"})
    visitor.get("/turn")
    wall.now += 30
    play(app_state, "A roll 1 2 3 4 6", "A score chance")
    assert (visitor.get("/turn").json or {})["elapsed"] == 0


def test_the_form_starts_a_game_with_a_timer_and_a_rematch_keeps_it(app_state: AppState, visitor: FlaskClient) -> None:
    token = re.search(r'name="csrf" content="([^"]+)"', visitor.get("/new").get_data(as_text=True))
    assert token
    form = {"csrf": token[1], "game": "krone", "player": ["Anna", "Bert"], TURN_LIMIT_TAG: "120"}
    assert visitor.post("/new", data=form).status_code == 303
    assert (visitor.get("/turn").json or {})["limit"] == 120
    assert 'value="120" selected' in visitor.get("/new").get_data(as_text=True)
    play_to_the_end(app_state, limit="120")
    assert visitor.get("/turn").json == {"over": True}
    assert visitor.post("/rematch", data={"csrf": token[1]}).status_code == 303
    assert (visitor.get("/turn").json or {})["limit"] == 120


@pytest.mark.browser
@pytest.mark.parametrize("path", ["", "me/A", "television"])
def test_every_screen_counts_down_warns_and_lets_the_turn_go_on(running_app: RunningApp, path: str) -> None:
    begin_game(running_app.app_state, "krone", ("Anna", "Bert"), **{TURN_LIMIT_TAG: "60"})
    wall = Wall()
    running_app.app_state.turn_clock = TurnClock(wall)
    enter(running_app, TURN[0])
    with browsing(bypass_csp=True, reduced_motion="reduce") as open_page:
        page = open_page("about:blank")
        page.add_init_script("window.seconds = 0; performance.now = () => 1000 * seconds;")
        page.goto(running_app.server.address + path)
        timer = page.locator("#turn-timer")
        expect(timer).to_contain_text(re.compile(r"Anna\s*1:00"))
        page.evaluate("seconds = 7")  # the page counts on by itself
        expect(timer).to_contain_text(re.compile(r"Anna\s*0:53"))
        wall.now += 50
        page.reload()
        expect(timer).to_contain_text("Hurry up")
        wall.now += 15
        page.reload()
        expect(timer).to_contain_text("Time is up")
        assert violations_now(page) == {}
        for width, height in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        enter(running_app, *TURN[1:])
        expect(timer).to_contain_text(re.compile(r"Bert\s*1:00"))
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
        expect(timer).to_be_hidden()
