"""Players in Chromium: names to tap, the table over all evenings, and each player's own page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from companion.game.archived.replay_cache import ReplayCache
from companion.server.bootstrap import RunningApp
from tests.kit.browser import browsing, shelve_past_games
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser


def test_names_are_tapped_instead_of_typed(shelf: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(shelf.server.address + "new")
        seats = page.locator(".seating input[name=player]")
        tap = page.get_by_role("group", name="Tap the players").get_by_role("button")
        for name in ("Cleo", "Anna", "Bert"):
            tap.get_by_text(name, exact=True).click()
        tap.get_by_text("Anna", exact=True).click()  # she gets up again: who sits behind her moves up
        assert [seats.nth(place).input_value() for place in range(3)] == ["Cleo", "Bert", ""]
        expect(tap.filter(has_text="Bert")).to_have_attribute("aria-pressed", "true")
        seats.nth(2).fill(" anna")
        expect(tap.filter(has_text="Anna")).to_have_attribute("aria-pressed", "true")
        seats.nth(2).fill("")
        page.get_by_role("button", name="Start game").click()
        expect(page.get_by_role("heading", name="Cleo").first).to_be_visible()
        assert shelf.app_state.session.running is not None
        assert shelf.app_state.session.running.table.record.players == ("Cleo", "Bert")


def test_the_table_of_players_and_the_way_to_each_of_them(shelf: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(shelf.server.address + "players")
        rows = page.locator(".ranking tbody tr")
        expect(rows).to_have_count(3)
        expect(rows.first).to_contain_text("Bert")
        page.locator("#of").select_option(label=page.locator("#of optgroup").nth(1).locator("option").inner_text())
        expect(page.locator(".podium")).to_contain_text("Bert")
        page.locator(".ranking").get_by_role("link", name="Anna").click()
        expect(page.get_by_role("heading", name="Anna", level=1)).to_be_visible()
        expect(page.locator(".duels li").filter(has_text="Bert")).to_contain_text(re.compile(r"0\s*:\s*1"))
        page.locator(".recent-games a").first.click()
        expect(page.get_by_role("heading", name="Anna, Bert, Cleo")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1366])
def test_the_choice_of_evenings_is_at_the_edge_of_the_page(shelf: RunningApp, width: int) -> None:
    with browsing(viewport={"width": width, "height": 800}) as open_page:
        page = open_page(shelf.server.address + "players")
        box, head = page.locator("#of").bounding_box(), page.locator(".page-head").bounding_box()
        assert box is not None
        assert head is not None
        left, right = box["x"] - head["x"], head["x"] + head["width"] - box["x"] - box["width"]
        assert min(abs(left), abs(right)) < 1


def test_games_that_are_still_being_read_appear_by_themselves(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReplayCache, "page_wait", 0.0)
    with served_app(tmp_path_factory.mktemp("unread"), players=()) as running_app, browsing() as open_page:
        shelve_past_games(running_app)
        page = open_page(running_app.server.address + "players")
        expect(page.locator("[data-unread]")).to_be_visible()
        archive = running_app.app_state.past.archive
        assert archive is not None
        running_app.app_state.past.replays.check(archive, lambda seconds: None)
        expect(page.locator(".ranking tbody tr")).to_have_count(3)
        expect(page.locator("[data-unread]")).to_have_count(0)
        page.locator("#of").select_option(index=1)  # what came later does what it did from the start
        expect(page).to_have_url(re.compile(r"of=\d{4}"))
