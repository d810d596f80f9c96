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


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Page, Hosting]]:
    with house(tmp_path) as open_house, browsing() as open_page:
        page = open_page(open_house.server.address)
        yield page, open_house


def roll(page: Page, faces: str) -> None:
    """Tap the faces and enter the roll."""
    for face in faces:
        page.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).click()
    page.get_by_role("button", name="Enter the roll").click()
    expect(page.locator(".tray .pick")).to_have_count(len(faces))


def test_two_turns_played_by_hand(table: tuple[Page, Hosting]) -> None:
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
    events = [line.event for line in hosting.room.sitting.table.lines]
    assert events == ["A roll 5 5 2", "A keep 5 5", "A roll 1", "A keep 1", "A buy farmer", "B roll 6 4 2"] + [
        "B keep 6 4 2",
        "B buy philosopher",
    ]
