"""The end of a game in Chromium: the winner, the turning point, a rematch, and a picture to share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.server.bootstrap import RunningApp
from tests.kit.browser import browsing
from tests.kit.served_app import served_app, table_of
from tests.web.played_out import play_to_the_end

pytestmark = pytest.mark.browser


@pytest.fixture
def home(tmp_path: Path) -> Iterator[RunningApp]:
    with served_app(tmp_path, players=()) as running_app:
        play_to_the_end(running_app.app_state)
        yield running_app


def test_a_game_ends_with_its_winner_its_turning_point_a_picture_and_a_rematch(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address)
        end = page.locator(".ending")
        expect(end.get_by_role("heading", name="Cleo wins the crown")).to_be_visible()
        expect(end.locator(".ending-dice .winner .die")).to_have_count(7)
        expect(end).to_contain_text(re.compile(r"Round \d+, \w+’s turn"))
        with page.expect_download() as saved:
            end.get_by_role("link", name="Share picture").click()
        assert saved.value.suggested_filename == "courtside.png"
        assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
        end.get_by_role("button", name="Rematch").click()
        expect(page.locator("#turn-title")).to_have_text("Anna")
        expect(end).to_have_count(0)
        assert table_of(home).record.players == ("Anna", "Bert", "Cleo", "Dora")


def test_undoing_the_last_event_takes_the_ending_back(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address)
        expect(page.locator(".ending")).to_be_visible()
        page.get_by_role("button", name="↶ Undo").click()
        expect(page.locator(".ending")).to_have_count(0)
        expect(page.locator("#turn-title")).to_be_visible()


def test_luck_and_decisions_appear_on_the_players_page_without_a_visit_to_the_review(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address)
        for _ in range(400):  # a game is looked back on in a second or two, on a busy computer in a minute
            page.goto(home.server.address + "players")
            if page.get_by_role("columnheader", name="Luck").count():
                break
            page.wait_for_timeout(250)
        expect(page.locator(".ranking tbody tr").first).to_contain_text("Cleo")
        expect(page.locator("main")).to_contain_text("from 1 of 1 games")
