"""Everything for a turn fits on one screen, and selected dice go where they are used; in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit.browser import SIZES, browsing, enter, events, expect_events

pytestmark = pytest.mark.browser
PLAYERS = ("Anna", "Bert", "Cleo")
GAME = Path(__file__).parents[1] / "golden" / "krone_amigo.txt"
MANY_OFFERS, MERCHANT_READY = 30, 34  # events of that game
FULLEST = (196, 265, 293)  # six active dice and four offers; nine dice; ten own cards in the final round


@pytest.fixture
def three(running_app: RunningApp) -> RunningApp:
    """A new game of three players."""
    begin_game(running_app.app_state, "krone", PLAYERS)
    return running_app


def played(events: int) -> list[str]:
    """The first events of a game of three players."""
    lines = GAME.read_text(encoding="utf-8").splitlines()
    return [line.partition(" {")[0] for line in lines if line[:1] in ("A", "B", "C")][:events]


def one_screen(page: Page, height: int) -> None:
    """Dice, offers, own cards, advice and undo are within the window."""
    for part in (".tray", "[data-key=offers]", ".own", ".advice > p", ".turn .undo"):
        found = page.locator(part)
        if part == "[data-key=offers]" and not found.count():
            continue  # these dice buy nothing
        box = found.first.bounding_box()
        assert box is not None, part
        assert box["y"] >= 0, (part, box)
        assert box["y"] + box["height"] <= height, (part, box)


# The longest texts of all, and another script.
@pytest.mark.parametrize(("size", "language"), [("phone", "de"), ("laptop", "de"), ("phone", "ja")])
def test_a_turn_fits_on_one_screen(three: RunningApp, size: str, language: str) -> None:
    height = SIZES[size]["viewport"]["height"]
    with browsing(**SIZES[size], locale=language) as open_page:
        page = open_page("about:blank")
        for count in (MANY_OFFERS, *FULLEST):
            page.goto("about:blank")  # or the page shows every event
            enter(three, *played(count)[len(events(three)) :])
            page.goto(three.server.address)
            expect(page.locator(".advice > p")).not_to_be_empty()
            one_screen(page, height)
            before = page.locator(".advice").bounding_box()
            page.locator(".pick").nth(0).click()
            one_screen(page, height)
            assert page.locator(".advice").bounding_box() == before  # nothing moves


def test_ticked_dice_are_those_a_card_is_used_on(three: RunningApp) -> None:
    with browsing() as open_page:
        enter(three, *played(MERCHANT_READY))
        page = open_page(three.server.address)
        for place in (1, 2):
            page.locator(".pick").nth(place).click()
        page.locator(".own").get_by_role("button", name="Use Merchant").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.locator("input[name=place]:checked")).to_have_count(2)
        for face in "61":
            dialog.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).click()
        expect(dialog).to_have_count(0)
        expect_events(three, ["B use merchant 5 5 > 6 1"], after=-1)


def test_a_card_out_of_reach_keeps_its_place_and_its_words(three: RunningApp) -> None:
    with browsing() as open_page:
        enter(three, *played(MANY_OFFERS))
        page = open_page(three.server.address)
        far = page.locator("[data-key=sale-general].far")
        expect(far).to_contain_text("six alike")
        expect(far.locator(".does")).to_be_visible()
