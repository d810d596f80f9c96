"""The table page in Chromium: a game played by hand, with mouse and keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.hosting import Hosting
from tests.browsing import browsing
from tests.house import house

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
Table = tuple[Page, Hosting]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with house(tmp_path) as open_house, browsing() as open_page:
        yield open_page(open_house.server.address), open_house


def roll(page: Page, faces: str) -> None:
    """Tap the faces and enter the roll."""
    for face in faces:
        page.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).click()
    page.get_by_role("button", name="Enter the roll").click()
    expect(page.locator(".tray .pick")).to_have_count(len(faces))


def events(hosting: Hosting) -> list[str]:
    """What stands in the record."""
    assert hosting.room.sitting is not None
    return [line.event for line in hosting.room.sitting.table.lines]


def enter(hosting: Hosting, *lines: str) -> None:
    """What somebody else enters meanwhile."""
    assert hosting.room.sitting is not None
    for line in lines:
        hosting.room.sitting.table.enter(line)


def test_two_turns_played_by_hand(table: Table) -> None:
    page, hosting = table
    expect(page.get_by_role("heading", name="Anna").first).to_be_visible()
    roll(page, "552")
    page.locator(".pick").nth(0).click()
    page.locator(".pick").nth(1).click()
    page.get_by_role("button", name=re.compile("^Set aside")).click()
    expect(page.locator(".tray .pick")).to_have_count(1)
    expect(page.locator("[data-key=sale-farmer]")).to_contain_text("already sure")
    roll(page, "1")
    page.locator("[data-key=offers]").get_by_role("button", name="Farmer").click()
    expect(page.get_by_role("heading", name="Bert").first).to_be_visible()
    expect(page.locator("[data-key=player-A]")).to_contain_text("Farmer")
    expect(page.locator("[data-key=sale-farmer] .left")).to_contain_text("×1")
    roll(page, "642")
    page.locator("[data-key=offers]").get_by_role("button", name="Philosopher").click()
    expect(page.locator("[data-key=player-B]")).to_contain_text("Philosopher")
    first = ["A roll 5 5 2", "A keep 5 5", "A roll 1", "A keep 1", "A buy farmer"]
    assert events(hosting) == [*first, "B roll 6 4 2", "B keep 6 4 2", "B buy philosopher"]


def test_a_game_by_keyboard_alone(table: Table) -> None:
    page, hosting = table
    page.keyboard.type("442")
    page.keyboard.press("Enter")
    expect(page.locator(".tray .pick")).to_have_count(3)
    page.keyboard.type("4")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator(".tray .pick")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(".tray .pick")).to_have_count(3)
    page.keyboard.press("r")
    expect(page.locator(".tray .pick")).to_have_count(1)
    assert events(hosting) == ["A roll 4 4 2", "A keep 4 4"]


def test_a_wrong_die_is_tapped_and_put_right(table: Table) -> None:
    page, hosting = table
    roll(page, "652")
    page.locator(".pick").nth(2).click()
    page.locator("[data-shows]").get_by_role("button", name="3", exact=True).click()
    expect(page.locator(".tray .pick input[value='3']")).to_have_count(1)
    assert events(hosting) == ["A roll 6 5 3"]


def test_an_earlier_event_is_corrected_and_a_contradiction_told(table: Table) -> None:
    page, hosting = table
    enter(hosting, "A roll 5 5 2", "A keep 5 5 2", "A buy farmer")
    page.locator("[data-key=line-1]").get_by_role("button", name="Correct").click()
    page.locator("dialog [data-turn]").nth(0).click()
    page.locator("dialog [data-set='4']").click()
    expect(page.locator("dialog [name=event]")).to_have_value("A roll 5 4 2")
    page.locator("dialog").get_by_role("button", name="Correct", exact=True).click()
    expect(page.locator("[data-key=problem]")).to_contain_text("no longer fits")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-key=problem]")).to_have_count(0)
    assert events(hosting) == ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer"]


def test_a_purchase_entered_late(table: Table) -> None:
    page, hosting = table
    enter(hosting, "A roll 5 5 2", "A keep 5 5 2", "B roll 6 4 2")
    late = page.locator("[data-key=player-A]")
    late.locator("select").select_option("farmer")
    late.get_by_role("button", name="Enter late").click()
    expect(late).to_contain_text("one more die")
    assert events(hosting) == ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer", "B roll 6 4 2"]


def test_cards_are_used_by_dialog(table: Table) -> None:
    page, hosting = table
    enter(hosting, "A roll 5 3 1", "A keep 5 3 1", "A buy maid", "B roll 6 6 2", "B keep 6 6 2", "B pass")
    enter(hosting, "B roll 1 1 1", "B keep 1 1 1", "B pass", "A roll 5 5 2")
    page.get_by_role("button", name="Use Serving Maid").click()
    page.locator("dialog .pick").nth(2).click()
    page.locator("dialog").get_by_role("button", name="5", exact=True).click()
    expect(page.locator(".tray .pick input[value='5']")).to_have_count(3)
    expect(page.locator("[data-key=player-A]")).to_contain_text("used")
    assert events(hosting)[-1] == "A use maid 2 > 5"


def test_a_refusal_is_a_sentence_and_changes_nothing(table: Table) -> None:
    page, hosting = table
    page.locator("#rolled").fill("6 6")
    page.get_by_role("button", name="Enter the roll").click()
    expect(page.get_by_role("alert")).to_contain_text("3 dice are to be rolled, not 2")
    assert events(hosting) == []
