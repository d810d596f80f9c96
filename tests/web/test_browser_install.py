"""The page as an installed app: its icons, its colours, and what it shows without the computer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.server.bootstrap import RunningApp
from tests.kit.axe import objections
from tests.kit.browser import SCREENS, browsing
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser
READY = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"


def paper(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_chromium_finds_nothing_missing_to_install_the_page(home: RunningApp) -> None:
    with browsing(installed=True) as open_page:
        page = open_page(home.server.address)
        errors = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {error["errorId"] for error in errors} <= {"in-incognito"}  # as all pages of tests are
        found = page.request.get(home.server.address + "manifest.webmanifest")
        for icon in json.loads(found.text())["icons"]:
            assert page.request.get(home.server.address.rstrip("/") + icon["src"]).ok


def test_while_the_computer_is_away_the_page_says_what_to_do_and_comes_back_by_itself(tmp_path: Path) -> None:
    with browsing(quiet=False, installed=True, locale="de", bypass_csp=True) as open_page:
        with served_app(tmp_path) as running_app:
            address, port = running_app.server.address, running_app.server.port
            page = open_page(address)
            page.wait_for_function(READY)
            page.goto(address + "players")
            expect(page.locator("h1")).to_have_text("Spieler")
        page.goto(address + "players")
        expect(page.locator("h1")).to_have_text("Courtside ist nicht erreichbar")
        expect(page.locator("main li")).to_have_count(3)
        for width, height in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert objections(page) == []
        with served_app(tmp_path, port=port):
            expect(page.locator("h1")).to_have_text("Spieler")


def test_no_page_of_a_game_is_kept_in_the_browser(home: RunningApp) -> None:
    with browsing(installed=True) as open_page:
        page = open_page(home.server.address)
        page.wait_for_function(READY)
        page.goto(home.server.address + "history")
        kept = page.evaluate(
            "caches.keys().then((names) => Promise.all(names.map(async (name) => "
            "(await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname))))"
        )
        assert [path for path in kept[0] if not path.startswith("/static/")] == ["/offline"]


def test_the_colours_are_chosen_for_this_device_and_stay(home: RunningApp) -> None:
    with browsing(color_scheme="light") as open_page:
        page = open_page(home.server.address)
        light = paper(page)
        page.get_by_label("Appearance").select_option("dark")
        dark = paper(page)
        assert dark != light
        page.goto(home.server.address + "players")
        expect(page.get_by_label("Appearance")).to_have_value("dark")
        assert paper(page) == dark
        page.get_by_label("Appearance").select_option("")
        assert paper(page) == light
        page.emulate_media(color_scheme="dark")
        assert paper(page) == dark
        page.get_by_label("Appearance").select_option("light")
        assert paper(page) == light
