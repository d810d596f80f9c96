"""Two people use the table page at once: one change wins, and the other person sees a message; in Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.web.sessions import begin_game
from tests.kit.browser import OpenTable, block_updates, enter, events, expect_events

pytestmark = pytest.mark.browser


def test_of_two_people_correcting_a_die_one_wins_and_the_other_sees_a_message(table: OpenTable) -> None:
    first, running_app = table
    enter(running_app, "A roll 6 5 2")
    second = first.context.new_page()
    block_updates(second)
    second.goto(first.url)
    expect(second.locator(".tray .pick")).to_have_count(3)
    first.locator(".pick").nth(2).click()
    first.get_by_role("button", name="Fix die").click()
    first.locator("[data-shows]").get_by_role("button", name="3", exact=True).click()
    expect(first.locator(".tray .pick input[value='3']")).to_have_count(1)
    second.locator(".pick").nth(2).click()
    second.get_by_role("button", name="Fix die").click()
    second.locator("[data-shows]").get_by_role("button", name="4", exact=True).click()
    expect(second.get_by_role("alert")).to_contain_text("Another player has just changed the game")
    expect(second.locator(".tray .pick input[value='3']")).to_have_count(1)
    expect_events(running_app, ["A roll 6 5 3"])
    second.close()


@pytest.mark.parametrize("what", ["undo", "keep", "insert", "buy"])
def test_of_two_people_doing_the_same_the_second_sees_a_message(table: OpenTable, what: str) -> None:
    first, running_app = table
    enter(running_app, "A roll 5 5 2", "A keep 5", seen_on=first)
    second = first.context.new_page()
    block_updates(second)
    second.goto(first.url)
    expect(second.locator(".tray .pick")).to_have_count(2)
    if what == "insert":
        second.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
        second.locator("dialog .as-text summary").click()
        expect(second.locator("dialog [name=event]")).to_be_visible()
    enter(running_app, "A keep 5")
    before = events(running_app)
    if what == "undo":
        second.get_by_role("button", name="↶ Undo").click()
    elif what == "keep":
        second.get_by_role("button", name="Set all aside").click()
    elif what == "insert":
        second.locator("dialog [name=event]").fill("A keep 5")
        second.locator("dialog").get_by_label("Change it anyway").check()
        second.get_by_role("button", name="Insert before").click()
    else:
        second.locator("[data-key=offers]").get_by_role("button", name="Farmer").click()
    expect(second.get_by_role("alert")).to_contain_text("Another player has just changed the game")
    expect_events(running_app, before)
    second.close()


def test_a_page_of_the_last_game_cannot_change_this_one(table: OpenTable) -> None:
    first, running_app = table
    second = first.context.new_page()
    block_updates(second)
    second.goto(first.url)
    begin_game(running_app.app_state, "krone", ("Carl", "Dora"))
    second.locator("#rolled").fill("5 5 2")
    second.get_by_role("button", name="Enter roll").click()
    expect(second.get_by_role("alert")).to_contain_text("A new game has started")
    expect_events(running_app, [])
    second.close()
