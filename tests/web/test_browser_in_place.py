"""Nothing moves when a roll is entered, and rows I to IV are in sight; in Chromium, at the sizes people use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
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
