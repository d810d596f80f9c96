"""Joining in Chromium: one code, or a word that was said, lets everybody in, who then take their seats."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from companion.web.bootstrap import RunningApp
from companion.web.pairing import GUEST
from companion.web.sessions import begin_game
from scripts.simulation.axe import violations_now
from scripts.simulation.browser import browsing
from scripts.simulation.served_app import served_app

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with served_app(tmp_path_factory.mktemp("house"), host="0.0.0.0") as running_app:
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
        yield running_app


def here(running_app: RunningApp, link: str) -> str:
    """The same path on this computer: its address in the network may lead elsewhere."""
    return f"http://127.0.0.1:{urlsplit(running_app.server.address).port}{urlsplit(link).path}"


def test_the_code_for_everybody_leads_to_the_seats(shared: RunningApp) -> None:
    with browsing(viewport={"width": 390, "height": 844}, bypass_csp=True) as open_page:
        page = open_page(here(shared, shared.app_state.invitation_link(GUEST)))
        expect(page.get_by_text("Which seat is yours?")).to_be_visible()
        assert violations_now(page) == {}
        page.get_by_role("button", name="Bert").click()
        expect(page.get_by_role("heading", name="Bert")).to_be_visible()
        page.goto(here(shared, "http://x/me/A"))
        expect(page.get_by_text("It is your turn")).to_be_visible()
        expect(page.locator("[data-pad]")).to_have_count(0)  # Anna's dice are not his


def test_the_word_that_was_said_opens_the_same_door_and_no_other_does(shared: RunningApp) -> None:
    with browsing() as host_page, browsing() as open_page:
        host = host_page(here(shared, shared.app_state.invitation_link("host")))
        host.goto(here(shared, "http://x/invite"))
        word = host.locator(".said-word").inner_text()
        assert len(word) == 8
        host.get_by_role("button", name="Copy the link: Everybody").click()
        expect(host.get_by_role("button", name="Copy the link: Everybody")).to_have_text("Copied")
        page = open_page(here(shared, "http://x/join"))
        page.get_by_label("The word you were told").fill("babababa")
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_role("status")).to_contain_text("not the word of this evening")
        page.get_by_label("The word you were told").fill(f" {word.upper()} ")
        page.get_by_role("button", name="Come in").click()
        page.get_by_role("button", name="Anna").click()
        expect(page.get_by_role("heading", name="Anna", level=1)).to_be_visible()
        expect(page.locator("[data-pad]")).to_have_count(1)
