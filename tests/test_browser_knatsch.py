"""The page of Knatsch in Chromium: dealt, revealed, told, attacked and defended by hand."""

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
        page = open_page(open_house.server.address.rstrip("/") + "/new")
        page.locator("select[name=game]").select_option("knatsch")
        page.locator("input[name=player]").nth(2).fill("Carl")
        page.get_by_role("button", name="Begin the game").click()
        expect(page.get_by_role("heading", name="Stacks")).to_be_visible()
        yield page, open_house


def events(hosting: Hosting) -> list[str]:
    assert hosting.room.sitting is not None
    return [line.event for line in hosting.room.sitting.table.lines]


def enter(hosting: Hosting, *lines: str) -> None:
    """What somebody else enters meanwhile."""
    assert hosting.room.sitting is not None
    for line in lines:
        hosting.room.sitting.table.enter(line)


def tap(page: Page, group: str, faces: str) -> None:
    for face in faces:
        page.locator(group).get_by_role("button", name=face, exact=True).click()


def test_from_the_deal_to_a_captured_castle_by_taps(table: Table) -> None:
    page, hosting = table
    for name, castle in (("Anna", "Red Castle"), ("Bert", "Blue Castle"), ("Carl", "Green Castle")):
        expect(page.locator("#turn-title")).to_have_text(name)
        page.locator("[data-key=deals]").get_by_role("button", name=castle).click()
    page.locator("[data-key=reveals-left]").get_by_role("button", name="Black Castle").click()
    page.locator("[data-key=reveals-right]").get_by_role("button", name="Tournament ×").click()
    tap(page, "[data-key=ask-left]", "3332")
    page.locator("[data-key=ask-left]").get_by_role("button", name="Enter").click()
    stack = page.locator("[data-key=stack-left]")
    expect(stack).to_contain_text("3-3-3+2")
    expect(stack.locator(".odds")).to_contain_text("60 %")
    stack.get_by_role("button", name="Go for it").click()
    tap(page, "form.pad", "665532")
    page.get_by_role("button", name="Enter the roll").click()
    expect(page.locator(".pick.advised")).to_have_count(2)
    for place in page.locator(".pick.advised").all():
        place.click()
    page.get_by_role("button", name="Keep these, roll the others").click()
    tap(page, "form.pad", "55")
    page.get_by_role("button", name="Enter the roll").click()
    expect(page.get_by_role("heading", name="Anna").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^stops rolling", re.IGNORECASE)).click()
    expect(page.locator("[data-key=player-A]")).to_contain_text("Black Castle")
    expect(page.locator("[data-key=player-A]")).to_contain_text("2 castles")
    assert events(hosting)[3:] == [
        "A reveal left castle-black",
        "A reveal right tournament",
        "A combination left 3-3-3+2",
        "A target left",
        "A roll 6 6 5 5 3 2",
        "A keep 5 5",
        "A roll 5 5",
        "A stop",
    ]


def test_an_attack_is_defended_and_told_with_its_chance(table: Table) -> None:
    page, hosting = table
    enter(hosting, "A deal castle-red", "B deal castle-blue", "C deal castle-green 3-3-3+4")
    enter(hosting, "A reveal left castle-black 1-1-1+1", "A target left", "A roll 5 5 5 5 1 1", "A stop")
    enter(hosting, "B reveal left stack 4-4-4+1", "B reveal right castle-white")
    expect(page.locator("[data-key=player-A]")).to_contain_text("Black Castle")
    black = page.locator("[data-key=player-A] .owned-card").nth(1)
    black.get_by_role("button", name="Go for it").click()
    expect(page.locator(".turn-head")).to_contain_text("to beat 1-1-1+1")
    enter(hosting, "B roll 2 2 2 3 4 6", "B stop")
    expect(page.locator("#turn-title")).to_have_text("Anna")
    expect(page.locator(".turn-head")).to_contain_text("to beat 2-2-2+4")
    expect(page.locator(".turn-head")).to_contain_text("chance")
    page.get_by_role("button", name="Pass").click()
    expect(page.locator("[data-key=player-B]")).to_contain_text("Black Castle")


def test_a_refusal_is_a_sentence_and_a_deck_can_be_saved(table: Table) -> None:
    page, hosting = table
    enter(hosting, "A deal castle-red", "B deal castle-blue", "C deal castle-green", "A reveal left stack")
    page.locator("[data-key=ask-left] .typed").fill("3 3 2 2")
    page.locator("[data-key=ask-left]").get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("three alike dice and one reserve die")
    tap(page, "[data-key=ask-left]", "4441")
    page.locator("[data-key=ask-left]").get_by_role("button", name="Enter").click()
    expect(page.locator("[data-key=stack-left]")).to_contain_text("4-4-4+1")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("as a deck file")).click()
    assert 'stack = ["4-4-4+1"]' in Path(download.value.path()).read_text(encoding="utf-8")
