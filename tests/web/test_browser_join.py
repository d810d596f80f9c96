"""Joining in Chromium: guests scan one code or type one word, then take seats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from companion.server.bootstrap import RunningApp
from companion.web.pairing import GUEST
from companion.web.sessions import begin_game
from tests.kit.axe import violations_now
from tests.kit.browser import browsing
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with served_app(tmp_path_factory.mktemp("app"), host="0.0.0.0") as running_app:
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
        yield running_app


def here(running_app: RunningApp, link: str) -> str:
    """The same path on this computer, whose address in the network may lead elsewhere."""
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
    with browsing() as host_page, browsing(bypass_csp=True) as open_page:
        host = host_page(here(shared, shared.app_state.invitation_link("host")))
        host.goto(here(shared, "http://x/invite"))
        word = host.locator(".said-word").inner_text()
        assert len(word) == 8
        host.get_by_role("button", name="Copy link: Everyone").click()
        expect(host.get_by_role("button", name="Copy link: Everyone")).to_have_text("Copied")
        page = open_page(here(shared, "http://x/join"))
        assert violations_now(page) == {}
        page.get_by_label("Tonight’s code word").fill("babababa")
        page.get_by_role("button", name="Join game").click()
        expect(page.get_by_role("status")).to_contain_text("not tonight’s code word")
        page.get_by_label("Tonight’s code word").fill(f" {word.upper()} ")
        page.get_by_role("button", name="Join game").click()
        page.get_by_role("button", name="Anna").click()
        expect(page.get_by_role("heading", name="Anna", level=1)).to_be_visible()
        expect(page.locator("[data-pad]")).to_have_count(1)


def test_a_taken_seat_is_given_only_to_a_guest_who_confirms_it(tmp_path: Path) -> None:
    with served_app(tmp_path, host="0.0.0.0") as running_app, browsing() as first, browsing(bypass_csp=True) as second:
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
        link = here(running_app, running_app.app_state.invitation_link(GUEST))
        one = first(link)
        one.get_by_role("button", name="Bert").click()
        expect(one.get_by_role("heading", name="Bert", level=1)).to_be_visible()
        one.goto(link)  # coming back to one's own seat needs no question
        one.get_by_role("button", name="Bert").click()
        expect(one.get_by_role("heading", name="Bert", level=1)).to_be_visible()
        two = second(link)
        two.get_by_role("button", name=re.compile("Bert.*taken")).click()
        expect(two.get_by_text("Another device has already joined as Bert")).to_be_visible()
        assert violations_now(two) == {}
        two.get_by_role("link", name="Choose another seat").click()
        two.get_by_role("button", name="Bert").click()
        two.get_by_role("button", name="Yes, this seat is mine").click()
        expect(two.get_by_role("heading", name="Bert", level=1)).to_be_visible()


def test_the_network_is_let_in_by_one_tap_and_a_phone_joins_over_https(tmp_path: Path) -> None:
    with (
        served_app(tmp_path) as running_app,
        browsing(bypass_csp=True) as at_the_computer,
        browsing(quiet=False) as on_a_phone,  # what it still asks for when the network is shut is refused
    ):
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
        page = at_the_computer(running_app.server.address + "invite")
        expect(page.locator(".invitations")).to_have_count(0)
        page.get_by_role("button", name="Allow devices on my network").click()
        code = page.locator(".invitations li").first
        expect(code.locator("img")).to_be_visible()
        assert violations_now(page) == {}
        link = urlsplit(code.locator("a").inner_text())
        assert link.scheme == "https"
        phone = on_a_phone(f"https://127.0.0.1:{link.port}{link.path}")
        phone.get_by_role("button", name="Anna").click()
        expect(phone.locator("[data-pad]")).to_be_visible()
        phone.wait_for_load_state()  # its scripts are there
        page.get_by_role("button", name="Stop allowing devices").click()
        expect(page.get_by_role("button", name="Allow devices on my network")).to_be_visible()
        expect(page.locator(".invitations")).to_have_count(0)
        expect(phone.locator("#connection")).to_be_visible()
        phone.close()
