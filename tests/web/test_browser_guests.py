"""Two players' phones and a spectator's at one table, in separate browsers, by touch; in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from companion.server.bootstrap import RunningApp
from companion.web.pairing import GUEST
from companion.web.sessions import begin_game
from tests.kit.axe import violations_now
from tests.kit.browser import SIZES, browsing, enter, expect_events
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[RunningApp]:
    with served_app(tmp_path, host="0.0.0.0", players=("Anna", "Bert", "Cleo")) as running_app:
        yield running_app


def here(running_app: RunningApp) -> str:
    """The guests' invitation, on this computer."""
    link = urlsplit(running_app.app_state.invitation_link(GUEST))
    return f"http://127.0.0.1:{link.port}{link.path}"


def tap_faces(page: Page, faces: str) -> None:
    for face in faces:
        page.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).tap()


def test_two_phones_play_in_turn_and_a_spectator_follows_without_buttons(shared: RunningApp) -> None:
    phone = SIZES["phone"]
    with browsing(**phone) as at_anna, browsing(**phone) as at_bert, browsing(**phone, bypass_csp=True) as watching:
        anna, bert, spectator = (open_page(here(shared)) for open_page in (at_anna, at_bert, watching))
        for page, name in ((anna, "Anna"), (bert, "Bert")):
            page.get_by_role("button", name=name).tap()
            expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        spectator.get_by_role("link", name="Just watch").tap()
        expect(spectator.locator("#turn-title")).to_have_text("Anna")
        for page, other, faces, card in ((anna, bert, "552", "Farmer"), (bert, anna, "642", "Philosopher")):
            expect(other.locator("[data-pad]")).to_have_count(0)  # the dice are not theirs
            tap_faces(page, faces)
            expect(other.locator(".die")).not_to_have_count(0)
            expect(spectator.locator(".tray .pick")).to_have_count(3)
            expect(spectator.locator(".turn")).to_contain_text("affordable now")
            assert "You can buy now" not in spectator.locator("main").inner_text()
            page.locator("[data-key=offers]").get_by_role("button", name=card).tap()
            for screen in (page, other, spectator):
                expect(screen.locator("#announce")).to_contain_text(f"takes the {card}")
        expect(spectator.locator("#turn-title")).to_have_text("Cleo")
        expect(spectator.locator("main button:visible")).to_have_count(0)
        assert violations_now(spectator) == {}
        expect_events(shared, ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer", "B roll 6 4 2", "B keep 6 4 2",
                               "B buy philosopher"])  # fmt: skip


@pytest.mark.parametrize(
    ("game", "events", "shown"),
    [
        ("knatsch", ("A deal castle-red", "B deal castle-blue", "C deal castle-green"), "Stacks"),
        ("yatzy", ("A roll 5 5 3 2 1",), "Scoresheet"),
    ],
)
def test_phones_follow_to_the_next_game(shared: RunningApp, game: str, events: tuple[str, ...], shown: str) -> None:
    with browsing(**SIZES["phone"]) as at_anna, browsing(**SIZES["phone"]) as watching:
        anna, spectator = at_anna(here(shared)), watching(here(shared))
        anna.get_by_role("button", name="Anna").tap()
        expect(anna.get_by_role("heading", name="Anna", level=1)).to_be_visible()
        spectator.get_by_role("link", name="Just watch").tap()
        expect(spectator.locator("#turn-title")).to_have_text("Anna")
        begin_game(shared.app_state, game, ("Anna", "Bert", "Cleo"))
        enter(shared, *events)
        expect(spectator.get_by_role("heading", name=shown)).to_be_visible()
        expect(spectator.locator("main button:visible")).to_have_count(0)
        expect(anna.get_by_text("It is your turn")).to_be_visible()
        for page in (anna, spectator):
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
