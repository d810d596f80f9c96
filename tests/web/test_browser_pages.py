"""All other pages in Chromium: past games, languages, two tabs, no scripts, a player's phone, weight, axe."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit.browser import SHORT, browsing, expect_events, past_game

pytestmark = pytest.mark.browser
TURN = ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer")


@pytest.fixture
def home(shelf: RunningApp) -> RunningApp:
    """A new game, and past games."""
    begin_game(shelf.app_state, "krone", ("Anna", "Bert"))
    return shelf


def test_the_chances_of_a_game_are_drawn_and_stand_in_a_table(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address + past_game(home))
        chances = page.locator("section", has=page.get_by_role("heading", name="Chances to win"))
        expect(chances.locator("polyline")).to_have_count(3)
        chances.get_by_text("Show as a table").click()
        rows = chances.locator("tbody tr")
        expect(rows.first).to_contain_text("Anna")
        points = chances.locator("polyline").first.get_attribute("points") or ""
        assert rows.count() == len(points.split()) > 5
        for row in rows.all():
            numbers = [int(text.rstrip("%")) for text in row.locator("td.number").all_text_contents()]
            assert 98 <= sum(numbers) <= 102
        page.locator(".charts").get_by_text("Show as a table").nth(1).click()
        expect(page.get_by_role("columnheader", name="expected")).to_be_visible()
        rows.nth(2).get_by_role("link").click()
        expect(page.locator("output")).not_to_have_text(f"{SHORT} / {SHORT}")


def test_looking_back_names_the_decisions_and_leads_to_them(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address + past_game(home) + "/review")
        expect(page.get_by_role("heading", name="Luck and skill")).to_be_visible()
        expect(page.locator(".balance tbody tr")).to_have_count(3)
        first = page.locator(".slips li").first
        expect(first).to_contain_text("Better move")
        first.get_by_role("link", name="Show this moment").click()
        expect(page.locator("output")).to_contain_text(f"/ {SHORT}")


def test_a_past_board_has_no_heading_without_advice_under_it(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address + past_game(home))
        expect(page.locator("#turn-title")).to_be_visible()
        expect(page.get_by_text("Advice", exact=True)).to_have_count(0)


def test_a_step_back_through_a_game_takes_out_nothing_that_stays(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address + past_game(home))
        page.evaluate(
            "window.put = []; new MutationObserver((all) => all.forEach((one) => put.push(...one.addedNodes)))"
            ".observe(document.querySelector('.lines'), { childList: true })"
        )
        page.get_by_role("button", name="Previous entry").click()
        expect(page.locator(".lines li")).to_have_count(SHORT - 1)
        assert page.evaluate("put.map((node) => node.nodeName)") == []


def test_the_language_is_switched_and_stays(home: RunningApp) -> None:
    with browsing(locale="de-DE") as open_page:
        page = open_page(home.server.address)
        expect(page.get_by_role("heading", name="Auslage", exact=True)).to_be_visible()
        for code, word in (
            ("ja", "場のカード"),
            ("fi", "Tarjolla olevat kortit"),
            ("nl", "Kaarten te koop"),
            ("en", "Cards for sale"),
        ):
            page.locator("#language").select_option(code)
            expect(page.get_by_role("heading", name=word, exact=True)).to_be_visible()
            assert page.locator("html").get_attribute("lang") == code


def test_two_tabs_and_a_television_follow_each_other(home: RunningApp) -> None:
    with browsing() as open_page:
        first = open_page(home.server.address)
        second = open_page(home.server.address)
        television = open_page(f"{home.server.address}overlay?transparent")
        first.locator("#rolled").fill("5 5 2")
        first.get_by_role("button", name="Enter roll").click()
        expect(second.locator(".tray .pick")).to_have_count(3)
        expect(television.locator(".air-dice .die")).to_have_count(3)
        assert not television.locator("button, a").count()
        second.get_by_role("button", name="↶ Undo").click()
        expect(first.locator(".tray .pick")).to_have_count(0)


def test_pages_work_without_scripts(home: RunningApp) -> None:
    with browsing(java_script_enabled=False) as open_page:
        page = open_page(home.server.address)
        page.locator("#rolled").fill("5 5 2")
        page.get_by_role("button", name="Enter roll").click()
        page.get_by_role("button", name="Set all aside").click()
        page.goto(f"{home.server.address}me/A")
        page.locator("[data-key=offers]").get_by_role("button", name="Farmer").click()
        expect(page.get_by_text("It is Bert’s turn.")).to_be_visible()
        expect_events(home, list(TURN))
        page.goto(home.server.address + past_game(home) + "?at=2")
        expect(page.locator("output")).to_have_text(f"2 / {SHORT}")
