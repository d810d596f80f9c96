"""Small usability faults at usual sizes; in Chromium. Texts only: test_small_things.py."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from companion.camera.worker import Health, Watcher
from companion.server.bootstrap import RunningApp
from companion.web.pairing import GUEST
from companion.web.sessions import begin_game
from tests.kit.browser import SIZES, browsing, enter, events, roll
from tests.kit.layout import moved, watch_moves
from tests.kit.served_app import served_app
from tests.kit.touch import FINGERTIP

pytestmark = pytest.mark.browser
CORNERS = """() => [...document.querySelectorAll(".handles ellipse")].map((handle) => {
  const { left, top, width, height } = handle.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})"""
# Name and what is left of each card for sale: pixels between their middles.
LEFT_BELOW_NAME = """cards => cards.map((card) => {
  const middle = (part) => [part.getBoundingClientRect()].map(({ top, height }) => top + height / 2)[0];
  return Math.abs(middle(card.querySelector(".left")) - middle(card.querySelector(".chance, .buy, .left")));
})"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """One page for all tests, which change its size."""
    with browsing(**SIZES["phone"], locale="en") as open_page:
        yield open_page("about:blank")


@pytest.fixture
def watched(running_app: RunningApp, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningApp]:
    """A camera that sends pictures, without a process behind it."""
    monkeypatch.setattr(Watcher, "start", lambda watcher: None)
    monkeypatch.setattr(Watcher, "health", lambda watcher: Health(1280, 720, 2.4, 3, True))
    yield running_app
    running_app.app_state.cameras.watch("none")


def sizes(page: Page, *names: str) -> Iterator[dict[str, Any]]:
    """Gives the page each of these sizes in turn, or each of all, and yields it."""
    for name in names or SIZES:
        page.set_viewport_size(SIZES[name]["viewport"])
        yield SIZES[name]["viewport"]


def test_areas_have_labels_and_a_way_out_and_no_corner_covers_another(page: Page, watched: RunningApp) -> None:
    watched.app_state.cameras.watch("phone")
    page.goto(watched.server.address + "camera")
    for _ in sizes(page):
        page.get_by_role("button", name="Draw the areas").click()
        for label in ("Rolling area", "Dice set aside"):
            expect(page.locator(".handles text", has_text=label)).to_be_visible()
        corners = page.evaluate(CORNERS)
        assert len(corners) == 8
        for (x, y), (other_x, other_y) in combinations(corners, 2):
            assert max(abs(x - other_x), abs(y - other_y)) >= FINGERTIP
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Draw the areas")).to_be_visible()
        expect(page.locator(".handles")).to_be_hidden()


def test_a_player_returns_from_the_table_to_their_own_page(tmp_path: Path) -> None:
    with served_app(tmp_path, host="0.0.0.0") as running_app, browsing(**SIZES["phone"]) as open_page:
        link = urlsplit(running_app.app_state.invitation_link(GUEST))
        page = open_page(f"http://127.0.0.1:{link.port}{link.path}")
        page.get_by_role("button", name="Bert").click()
        for _ in sizes(page, "phone", "laptop"):
            page.locator(".masthead nav a").first.click()
            expect(page.locator("#turn-title")).to_have_text("Anna")
            page.get_by_role("link", name="My seat").click()
            expect(page.get_by_role("heading", name="Bert", level=1)).to_be_visible()


def test_back_closes_a_dialog_and_leaves_the_page_open(page: Page, home: RunningApp) -> None:
    enter(home, "A roll 5 5 2")
    page.goto(home.server.address)
    for _ in sizes(page, "phone", "laptop"):
        page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("dialog")).to_be_hidden()
        assert page.url == home.server.address


def test_games_to_go_on_with_are_named_and_a_game_of_five_has_five_chairs(page: Page, home: RunningApp) -> None:
    enter(home, "A roll 5 5 2")
    begin_game(home.app_state, "knatsch", ("Anna", "Bert"))
    for _ in sizes(page, "phone", "laptop"):
        page.goto(home.server.address + "new")
        expect(page.locator("#go-on li").first).to_contain_text("To Court the King")
        for game, chairs in (("krone", 5), ("knatsch", 6)):
            page.locator("select[name=game]").select_option(game)
            adding = page.get_by_role("button", name="Add player")
            while adding.is_visible():
                adding.click()
            expect(page.locator("input[name=player]:visible")).to_have_count(chairs)


def test_the_header_of_a_phone_on_its_side_leaves_room_for_the_game(page: Page, home: RunningApp) -> None:
    page.goto(home.server.address)
    for size in sizes(page):
        header = page.locator(".masthead").bounding_box()
        assert header
        assert header["height"] <= size["height"] / 6


def test_the_number_of_copies_is_on_the_line_of_the_price_under_long_names(home: RunningApp) -> None:
    enter(home, "A roll 5 5 2")
    with browsing(**SIZES["phone"], locale="de") as open_page:
        page = open_page(home.server.address)
        for _ in sizes(page):
            apart = page.locator("[data-key^=sale-]:has(.left)").evaluate_all(LEFT_BELOW_NAME)
            assert max(apart) < 12


def test_a_die_is_fixed_behind_a_button_and_the_pad_enters_the_next_roll_only(page: Page, home: RunningApp) -> None:
    for _ in sizes(page, "phone", "laptop"):
        begin_game(home.app_state, "krone", ("Anna", "Bert"))
        page.goto(home.server.address)
        roll(page, "552")
        expect(page.locator(".faces:visible")).to_have_count(1)  # the pad's, which waits
        expect(page.locator("[data-pad] .faces button:enabled")).to_have_count(0)
        fix = page.get_by_role("button", name="Fix die")
        expect(fix).to_be_disabled()
        watch_moves(page)
        page.locator(".pick").nth(2).click()
        fix.click()
        expect(page.locator("[data-shows] .face:visible")).to_have_count(6)  # five others, and no die at all
        assert moved(page) == []
        page.locator("[data-shows]").get_by_role("button", name="3", exact=True).click()
        expect(page.locator(".tray input[value='3']")).to_have_count(1)
        assert events(home) == ["A roll 5 5 3"]
        for place in (0, 1):
            page.locator(".pick").nth(place).click()
        roll(page, "1")
        assert events(home) == ["A roll 5 5 3", "A keep 5 5", "A roll 1"]
