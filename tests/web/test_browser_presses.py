"""Presses on the table page that come twice or never arrive; in Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import LOST, OpenTable, begin, browsing, enter, expect_events, fail, recover

pytestmark = pytest.mark.browser
GONE = "Your last tap was not received. Tap again."


def twice(page: Page, button: str) -> None:
    """Presses twice, the second time before the first is answered."""
    page.locator("[data-key=turn]").get_by_role("button", name=button).evaluate(
        "(button) => { button.click(); button.click(); }"
    )


def test_a_double_press_acts_once_and_is_not_refused(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 5 5 2", seen_on=page)
    twice(page, "Set all aside")
    expect(page.locator("[data-key=offers]").get_by_role("button", name="Farmer")).to_be_visible()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    twice(page, "Farmer")
    expect(page.locator("#turn-title")).to_have_text("Bert")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect_events(running_app, ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer"])


def test_undo_counts_every_press(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 5 5 2", "A keep 5 5 2", "A buy farmer", seen_on=page)
    twice(page, "Undo")
    expect(page.locator(".tray .pick")).to_have_count(3)
    expect_events(running_app, ["A roll 5 5 2"])


@pytest.mark.parametrize("path", ["", "me/A"])
def test_a_press_that_did_not_arrive_is_reported_when_the_server_is_back(open_table: OpenTable, path: str) -> None:
    first, running_app = open_table
    begin(running_app, first)
    enter(running_app, "A roll 5 5 2", seen_on=first)
    with browsing(quiet=False) as open_page:
        page = open_page(running_app.server.address + path)
        fail(page)
        page.get_by_role("button", name="Set all aside").click()
        expect(page.locator(LOST)).to_be_visible()
        recover(page)
        expect(page.get_by_role("alert").filter(has_text=GONE)).to_be_visible()
        page.get_by_role("button", name="Set all aside").click()
        expect(page.locator("[data-key=offers]")).to_be_visible()
        expect(page.get_by_text(GONE)).to_have_count(0)
        expect_events(running_app, ["A roll 5 5 2", "A keep 5 5 2"])


def test_no_press_is_called_lost_where_the_game_has_gone_on(table: OpenTable) -> None:
    first, running_app = table
    enter(running_app, "A roll 5 5 2", seen_on=first)
    with browsing(quiet=False) as open_page:
        page = open_page(running_app.server.address)
        fail(page)
        page.get_by_role("button", name="Set all aside").click()
        expect(page.locator(LOST)).to_be_visible()
        enter(running_app, "A keep 5 5 2")  # it had arrived, its answer had not
        recover(page)
        expect(page.locator(".tray .pick")).to_have_count(0)
        page.wait_for_timeout(2000)  # longer than it takes to ask again
        expect(page.get_by_text(GONE)).to_have_count(0)


def test_a_button_that_its_own_press_disables_hands_the_focus_to_the_turn(table: OpenTable) -> None:
    """Bug: with the keyboard, the next Tab started at the top of the page."""
    page, running_app = table
    enter(running_app, "A roll 5 5 2", seen_on=page)
    page.locator(".tray .pick input").first.press("Space")
    page.locator("[data-tray] [data-needs-dice]").press("Enter")
    expect(page.locator("#turn-title")).to_be_focused()
    expect_events(running_app, ["A roll 5 5 2", "A keep 5"])
