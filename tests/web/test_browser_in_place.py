"""Nothing moves when a roll is entered, and rows I to IV are in sight; in Chromium, at the sizes people use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.game.changes import Change, Line, Question, Sentence
from companion.game.referee.sentences import WHAT_HAPPENED
from companion.game.table import Table
from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from engine.record_header import new_record
from tests.kit.browser import browsing, enter, roll
from tests.kit.served_app import served_app, table_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
GAME = Path(__file__).parents[1] / "golden" / "krone_amigo.txt"
SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "landscape": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "desktop": {"viewport": {"width": 1920, "height": 1080}},
}
MOST = 8  # pixels that anything may move by
# Sums up how far things move, by the browser's own record of layout shifts: the farthest move of each element, pixels.
WATCH = """() => {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries()) for (const { node, previousRect: a, currentRect: b } of sources) {
      if (!a.height || !b.height || node?.parentElement?.closest(".lines")) continue; // the record grows at its head
      moved.push([node?.className || node?.nodeName, Math.abs(a.top - b.top), Math.abs(a.left - b.left)]);
    }
  }).observe({ type: "layout-shift", buffered: false });
}"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with served_app(tmp_path_factory.mktemp("house"), players=("Anna", "Bert", "Cleo")) as running_app:
        yield running_app


def play_to(running_app: RunningApp, events: int) -> None:
    """A new game of three, so many events on."""
    begin_game(running_app.app_state, "krone", ("Anna", "Bert", "Cleo"))
    lines = GAME.read_text(encoding="utf-8").splitlines()
    enter(running_app, *[line.partition(" {")[0] for line in lines if line[:2] in ("A ", "B ", "C ")][:events])


def at_rest(page: Page) -> None:
    """Until the advice has come and nothing has changed for a while."""
    expect(page.locator(".advice > p").first).to_contain_text("%")
    page.wait_for_timeout(400)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("moment", ["first roll", "late roll"])
def test_nothing_moves_when_a_roll_is_entered(home: RunningApp, size: str, moment: str) -> None:
    play_to(home, 0 if moment == "first roll" else 33)
    with browsing(**SIZES[size]) as open_page:
        page = open_page(home.server.address)
        at_rest(page)
        page.evaluate(WATCH)
        count = table_of(home).state.to_roll
        roll(page, "6554321"[:count])
        at_rest(page)
        moved = [(name, down, across) for name, down, across in page.evaluate("moved") if max(down, across) > MOST]
        assert moved == [], moved
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rows_one_to_four_are_in_sight_on_a_laptop(home: RunningApp) -> None:
    play_to(home, 34)
    with browsing(**SIZES["laptop"]) as open_page:
        page = open_page(home.server.address)
        at_rest(page)
        for row in range(1, 5):
            expect(page.locator(f".row[data-row='{row}']")).to_be_in_viewport(ratio=1)


def seven_questions() -> Table:
    """A table at which the camera asks seven questions."""
    events = ("A roll 6 6 1", "A use fool 1 > 2")
    lines = tuple(Line(number, event, "camera") for number, event in enumerate(events, 1))
    steps = ("A roll 6 6 1", "A use fool 1 > 2"), ("A roll 6 6 2", "A use merchant 6 6 > 6 5", "A use fool 5 > 6"), ()
    quoted = {"first": "A roll 6 6 1, A use fool 1 > 2", "second": "A roll 6 6 2, A use merchant 6 6 > 6 5"}
    asked = tuple(Question(Sentence(WHAT_HAPPENED, quoted), (1, 2), steps, number) for number in range(1, 8))
    record = new_record("krone", ("Anna", "Bert"), Position="amigo2006; A fool merchant; B -")
    return Table(record, changes=[Change(1, "enter", "camera", 0, (), lines, asked)])


@pytest.mark.parametrize("size", SIZES)
def test_seven_questions_take_a_fifth_of_the_screen_and_stay_in_their_panel(home: RunningApp, size: str) -> None:
    home.app_state.session.begin(seven_questions(), None)
    with browsing(**SIZES[size]) as open_page:
        page = open_page(home.server.address)
        asked = page.locator(".question")
        expect(asked).to_have_count(1)
        box, panel = asked.bounding_box(), page.locator("[data-key=turn]").bounding_box()
        assert box
        assert panel
        assert box["height"] <= SIZES[size]["viewport"]["height"] / 5 + 1
        assert box["x"] >= panel["x"]
        assert box["x"] + box["width"] <= panel["x"] + panel["width"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert asked.evaluate("box => box.scrollWidth <= box.clientWidth")
        page.get_by_role("button", name="Skip").click()
        expect(page.locator("[data-key=question-6]")).to_be_visible()


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_a_purchase_is_announced_for_some_seconds_and_can_be_undone_there(home: RunningApp, size: str) -> None:
    begin_game(home.app_state, "krone", ("Anna", "Bert"))
    enter(home, "A roll 5 5 2")
    with browsing(**SIZES[size]) as open_page:
        page, television = open_page(home.server.address), open_page(home.server.address + "television")
        strip = page.locator("#moment")
        expect(strip).to_be_hidden()
        page.locator("[data-key=offer-farmer] button").click()
        expect(strip).to_have_text("Anna takes the Farmer.Undo")
        expect(television.locator("#moment")).to_have_text("Anna takes the Farmer.")
        expect(page.locator("#announce")).to_have_text("Anna takes the Farmer.")
        strip.get_by_role("button", name="Undo").click()
        expect(strip).to_be_hidden()
        assert [line.event for line in table_of(home).lines] == ["A roll 5 5 2"]
        page.locator("[data-key=offer-farmer] button").click()
        expect(strip).to_be_visible()
        page.mouse.move(5, 5)
        expect(strip).to_be_hidden()


def test_back_closes_a_dialog_and_leaves_the_page_open(home: RunningApp) -> None:
    begin_game(home.app_state, "krone", ("Anna", "Bert"))
    enter(home, "A roll 5 5 2")
    with browsing(**SIZES["phone"]) as open_page:
        page = open_page(home.server.address)
        page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("dialog")).to_be_hidden()
        assert page.url == home.server.address
