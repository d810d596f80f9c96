"""Nothing moves when a roll is entered, and rows I to IV are visible; in Chromium, at usual sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit.browser import SIZES, browsing, enter, roll
from tests.kit.layout import MAX_SHIFT, moved, wait_until_at_rest, watch_moves
from tests.kit.scenes import seven_questions
from tests.kit.served_app import served_app, table_of

pytestmark = pytest.mark.browser
GAME = Path(__file__).parents[1] / "golden" / "krone_amigo.txt"
DEALT = ("A deal castle-red", "B deal castle-blue", "C deal castle-green")
ATTACK = (*DEALT, "A reveal left castle-black 1-1-1+1", "A target left")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with served_app(tmp_path_factory.mktemp("app"), players=("Anna", "Bert", "Cleo")) as running_app:
        yield running_app


def play_to(running_app: RunningApp, events: int) -> None:
    """Starts a game of three and plays this many events."""
    begin_game(running_app.app_state, "krone", ("Anna", "Bert", "Cleo"))
    lines = GAME.read_text(encoding="utf-8").splitlines()
    enter(running_app, *[line.partition(" {")[0] for line in lines if line[:2] in ("A ", "B ", "C ")][:events])


def at_rest(page: Page) -> None:
    """Waits until the advice is shown and nothing changes any more."""
    expect(page.locator(".advice > p").first).to_contain_text(re.compile("%|points"))
    wait_until_at_rest(page)


@pytest.fixture(scope="module", params=SIZES)
def sized(request: pytest.FixtureRequest) -> Iterator[tuple[Page, ViewportSize]]:
    """A page of each size."""
    with browsing(**SIZES[request.param]) as open_page:
        yield open_page("about:blank"), SIZES[request.param]["viewport"]


@pytest.mark.parametrize(
    ("sized", "moment"),
    [(size, "first roll") for size in SIZES]
    + [(size, moment) for size in ("phone", "laptop") for moment in ("late roll", "knatsch", "yatzy")],
    indirect=["sized"],
)
def test_nothing_moves_when_a_roll_is_entered(home: RunningApp, sized: tuple[Page, ViewportSize], moment: str) -> None:
    page, _ = sized
    if moment in ("knatsch", "yatzy"):
        begin_game(home.app_state, moment, ("Anna", "Bert", "Cleo"))
        enter(home, *ATTACK if moment == "knatsch" else ())
        count = {"knatsch": 6, "yatzy": 5}[moment]
    else:
        play_to(home, 0 if moment == "first roll" else 33)
        count = table_of(home).state.to_roll
    page.goto(home.server.address)
    at_rest(page)
    watch_moves(page)
    roll(page, "5543221"[:count])
    at_rest(page)
    assert moved(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_moves_through_a_turn_of_yatzy_in_the_longest_language(home: RunningApp) -> None:
    """Dice kept before stay ticked, and after the last roll three boxes replace the number pad."""
    with browsing(**SIZES["phone"], locale="de") as open_page:
        page = open_page("about:blank")
        for size in ("phone", "laptop"):
            begin_game(home.app_state, "yatzy", ("Anna", "Bert", "Cleo"))
            page.set_viewport_size(SIZES[size]["viewport"])
            page.goto(home.server.address)
            advice = page.locator(".advice > p").first
            expect(advice).to_contain_text("Punkte")
            for event in ("A roll 5 5 3 2 1", "A keep 5 5", "A roll 5 2 2", "A keep 5 5 5", "A roll 2 2"):
                watch_moves(page)
                enter(home, event, seen_on=page)
                expect(advice).to_contain_text("Punkte")
                down = [(name, by) for name, by, _ in moved(page) if by > MAX_SHIFT]
                assert down == [], (size, event)
                if event == "A roll 5 2 2":
                    expect(page.locator(".tray input:checked")).to_have_count(2)
            expect(page.locator(".choose button")).to_have_text(["Full House 19", "Fünfer 15", "Dreierpasch 15"])


def test_the_whole_scoresheet_is_in_sight_on_a_laptop(home: RunningApp) -> None:
    begin_game(home.app_state, "yatzy", ("Anna", "Bert", "Cleo"))
    enter(home, "A roll 5 5 3 2 1")
    with browsing(**SIZES["laptop"]) as open_page:
        page = open_page(home.server.address)
        expect(page.locator("[data-key=total]")).to_be_in_viewport(ratio=1)


def test_rows_one_to_four_are_in_sight_on_a_laptop(home: RunningApp) -> None:
    play_to(home, 34)
    with browsing(**SIZES["laptop"]) as open_page:
        page = open_page(home.server.address)
        at_rest(page)
        for row in range(1, 5):
            expect(page.locator(f".row[data-row='{row}']")).to_be_in_viewport(ratio=1)


def test_seven_questions_take_a_fifth_of_the_screen_and_stay_in_their_panel(
    home: RunningApp, sized: tuple[Page, ViewportSize]
) -> None:
    page, viewport = sized
    home.app_state.session.begin(seven_questions(), None)
    page.goto(home.server.address)
    asked = page.locator(".question")
    expect(asked).to_have_count(1)
    box, panel = asked.bounding_box(), page.locator("[data-key=turn]").bounding_box()
    assert box
    assert panel
    assert box["height"] <= viewport["height"] / 5 + 1
    assert box["x"] >= panel["x"]
    assert box["x"] + box["width"] <= panel["x"] + panel["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert asked.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("[data-key=question-6]")).to_be_visible()
