"""A whole turn on a player's own phone in Chromium, by touch: roll, set aside, use, buy, undo."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit.axe import violations_now
from tests.kit.browser import browsing, enter, events, expect_events

pytestmark = pytest.mark.browser
HEIGHT = 844


@pytest.fixture
def phone(running_app: RunningApp) -> Iterator[Page]:
    begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
    with browsing(viewport={"width": 390, "height": HEIGHT}, has_touch=True, bypass_csp=True) as open_page:
        yield open_page(f"{running_app.server.address}me/A")


def tap_faces(page: Page, faces: str) -> None:
    for face in faces:
        page.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).tap()


def test_a_whole_turn_is_played_on_ones_own_phone(phone: Page, running_app: RunningApp) -> None:
    tap_faces(phone, "552")
    expect(phone.locator(".tray .pick")).to_have_count(3)
    phone.locator(".tray .pick").nth(0).tap()
    phone.locator(".tray .pick").nth(1).tap()
    tap_faces(phone, "1")  # the other die, rolled again: its last face enters both
    expect(phone.locator(".tray .pick")).to_have_count(1)
    expect_events(running_app, ["A roll 5 5 2", "A keep 5 5", "A roll 1"])
    phone.get_by_role("button", name="↶ Undo").tap()
    expect(phone.locator(".tray .pick input[value='2']")).to_have_count(1)
    phone.get_by_role("button", name="Redo").tap()
    expect(phone.locator(".tray .pick input[value='1']")).to_have_count(1)
    phone.locator("[data-key=offers]").get_by_role("button", name="Farmer").tap()
    expect(phone.get_by_text("It is Bert’s turn.")).to_be_visible()
    expect(phone.locator("[data-pad]")).to_have_count(0)  # his dice are not entered on her page
    phone.get_by_role("button", name="↶ Undo").tap()
    expect(phone.get_by_text("It is your turn")).to_be_visible()


def test_a_card_is_used_on_ones_own_phone_and_the_turn_fits_one_screen(phone: Page, running_app: RunningApp) -> None:
    enter(running_app, "A roll 6 4 2", "A buy philosopher", "B roll 5 5 2", "B keep 5 5 2", "B buy farmer")
    enter(running_app, "B roll 5 5 2 1", "B keep 5 5 2 1", "B pass", "A roll 5 5 2", seen_on=phone)
    turn = phone.locator(".turn").bounding_box()
    assert turn is not None
    assert turn["y"] + turn["height"] <= HEIGHT
    for button in phone.locator(".turn button:visible, .turn .pick").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 32, button.inner_text()
    assert violations_now(phone) == {}
    phone.get_by_role("button", name="Use Philosopher").tap()
    phone.locator("dialog .pick").nth(0).tap()
    phone.locator("dialog .pick").nth(2).tap()
    phone.locator("dialog button.choice").first.tap()
    expect(phone.locator("#dialog")).to_be_hidden()
    assert events(running_app)[-1].startswith("A use philosopher")
