"""A whole evening in Chromium, and the page of a club that keeps its games in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.kit.axe import violations
from tests.kit.browser import LOST, browsing, enter, expect_events, fail, recover, roll, shelve_past_games
from tests.kit.postgresql_server import PostgresServer
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser
RECORDED = [
    "A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3", "A buy farmer",
    "B roll 6 4 2", "B keep 6 4 2", "B buy philosopher",
]  # fmt: skip


def test_an_evening_from_the_first_game_to_its_record_at_home(tmp_path: Path) -> None:
    with browsing() as open_page:
        with served_app(tmp_path, players=()) as first:
            page = open_page(first.server.address)
            page.get_by_label("Player 1", exact=True).fill("Chiara")
            page.get_by_label("Player 2", exact=True).fill("Dora")
            page.locator("input[name=starts]").nth(1).check(force=True)
            page.get_by_role("button", name="Start game").click()
            expect(page.get_by_role("heading", name="Dora").first).to_be_visible()
            expect(page.locator(".preferences")).to_be_visible()  # the scripts are there: from now on taps count
            roll(page, "552")
            page.locator(".pick").nth(0).click()
            page.locator(".pick").nth(1).click()
            page.locator("[data-needs-dice]").click()
            expect(page.locator(".tray .pick")).to_have_count(1)
            roll(page, "1")
            page.locator(".pick").click()
            page.get_by_role("button", name="Fix die").click()
            page.locator("[data-shows]").get_by_role("button", name="3", exact=True).click()  # it was misread
            expect(page.locator(".tray input[value='3']")).to_have_count(1)
            page.get_by_role("button", name="Set all aside").click()
            expect(page.locator(".tray .pick")).to_have_count(0)
            # Dora's purchase is still open.
            enter(first, "B roll 6 4 2", seen_on=page)
            dora = page.locator("[data-key=player-A]")
            dora.get_by_text("Purchase from last turn").click()
            dora.get_by_role("button", name="Farmer").click()
            expect(dora.locator(".owned-card")).to_contain_text("Farmer")
            page.get_by_role("button", name="↶ Undo").click()
            expect(dora.locator(".owned-card")).to_have_count(0)
            page.get_by_role("button", name="Redo").click()
            expect(dora.locator(".owned-card")).to_have_count(1)
            page.locator("[data-key=offers]").get_by_role("button", name="Philosopher").click()
            expect(page.locator("[data-key=player-B] .owned-card")).to_contain_text("Philosopher")
            expect_events(first, RECORDED)
            page.close()  # or it complains, and rightly, that the server does not answer any more
        with served_app(tmp_path, players=()) as second:
            page = open_page(second.server.address)
            page.get_by_role("button", name="Resume Dora, Chiara").click()
            expect(page.locator("[data-key=player-B] .owned-card")).to_contain_text("Philosopher")
            expect_events(second, RECORDED)
            page.goto(f"{second.server.address}history")
            page.get_by_role("link", name="Dora, Chiara").click()
            for _ in range(4):
                page.get_by_role("button", name="Previous entry").click()
            expect(page.locator("output")).to_have_text("4 / 8")
            expect(page.locator("[data-key=player-A]")).to_contain_text("No cards yet")
            page.get_by_role("button", name="Next entry").click()
            expect(page.locator("[data-key=player-A]")).to_contain_text("Farmer")
            with page.expect_download() as download:
                page.get_by_role("link", name="Game record").click()
            # Other players' names: the very same game would be taken in only once.
            exported = tmp_path / "elsewhere.txt"
            exported.write_text(Path(download.value.path()).read_text("utf-8").replace("Dora", "Nora"), "utf-8")
            page.goto(f"{second.server.address}history")
            page.locator("input[type=file]").set_input_files(exported)
            page.get_by_role("button", name="Import").click()
            expect(page.get_by_role("heading", name="Nora, Chiara").first).to_be_visible()
            with page.expect_download() as again:
                page.get_by_role("link", name="Game record").click()
            assert Path(again.value.path()).read_text(encoding="utf-8") == exported.read_text(encoding="utf-8")
            page.goto(f"{second.server.address}history")
            expect(page.locator(".past li")).to_have_count(2)
            page.locator("#language").select_option("de")
            expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.postgresql
def test_the_page_of_a_club_follows_its_tables_and_says_when_nothing_arrives(
    tmp_path: Path, postgresql: PostgresServer
) -> None:
    with (
        served_app(tmp_path, archive=postgresql.new_database()) as running_app,
        browsing(quiet=False, bypass_csp=True, reduced_motion="reduce") as open_page,
    ):
        shelve_past_games(running_app)
        visitor = open_page(running_app.server.address + "history")
        visitor.get_by_role("link", name="Club", exact=True).click()
        tables = visitor.locator(".past li")
        expect(tables).to_have_count(1)  # the other games were only imported
        expect(tables.filter(has_text="Bert’s turn")).to_have_count(0)
        enter(running_app, "A roll 5 5 2", "A keep 5 5 2", "A buy farmer")
        expect(tables.filter(has_text="Bert’s turn")).to_have_count(1)
        assert violations(visitor, visitor.url) == {}
        visitor.clock.install()
        visitor.reload()
        fail(visitor)
        visitor.clock.fast_forward(3000)
        expect(visitor.locator(LOST)).to_be_visible()
        recover(visitor)
        visitor.clock.fast_forward(3000)
        expect(visitor.locator(LOST)).to_be_hidden()
