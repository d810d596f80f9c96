"""Screens without input, in Chromium: the television, and the parts of an overlay placed one by one."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.camera.worker import Watcher
from companion.server.bootstrap import RunningApp
from companion.web.pages.overlay import PARTS
from tests.kit.browser import browsing, enter
from tests.kit.fake_camera import show_picture
from tests.kit.scenes import STAGES

# The tallest strip of a section that nothing is written or drawn in, in CSS pixels.
LARGEST_GAP = """section => {
  const frame = section.getBoundingClientRect();
  const boxes = [...section.querySelectorAll("*")].filter((one) => !one.querySelector("*:not(.unseen)"))
    .map((one) => one.getBoundingClientRect()).filter((box) => box.height > 2).sort((a, b) => a.top - b.top);
  let reached = frame.top, gap = 0;
  for (const box of boxes) { gap = Math.max(gap, box.top - reached); reached = Math.max(reached, box.bottom); }
  return Math.max(gap, frame.bottom - reached);
}"""

pytestmark = pytest.mark.browser


def test_the_television_is_opened_from_the_invitations_and_follows_the_game(home: RunningApp) -> None:
    with browsing(viewport={"width": 1366, "height": 768}) as open_page:
        page = open_page(home.server.address + "invite")
        with page.expect_popup() as opened:
            page.get_by_role("heading", name="Screens").click()
            page.get_by_role("link", name="Open here").click()
        screen = opened.value
        expect(screen.locator(".tv-turn h2")).to_have_text("Anna")
        enter(home, "A roll 5 5 2", seen_on=screen)
        expect(screen.locator(".tv-turn .air-dice > .die")).to_have_count(3)
        expect(screen.locator(".tv-display .on-offer").first).to_be_visible()
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
        screen.close()


@pytest.mark.parametrize("stage", ["yatzy", "attack"])
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
def test_every_game_fills_the_television(running_app: RunningApp, stage: str, width: int, height: int) -> None:
    STAGES[stage](running_app)
    with browsing(viewport={"width": width, "height": height}) as open_page:
        page = open_page(running_app.server.address + "television")
        turn, display = page.locator(".tv-turn"), page.locator(".tv-display")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for section in (turn, display):  # no empty space taller than a fifth of the screen, above, between or below
            assert section.evaluate(LARGEST_GAP) < height / 5
        assert page.locator(".air-dice .die").first.evaluate("die => die.clientWidth") > width / 12


@pytest.mark.parametrize("stage", ["fullest", "yatzy", "attack"])
def test_a_television_with_a_camera_needs_no_scrolling(
    running_app: RunningApp, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """And it has no links, because there is no pointer."""
    monkeypatch.setattr(Watcher, "start", lambda watcher: None)
    STAGES[stage](running_app)
    cameras = running_app.app_state.cameras
    cameras.watch("0")
    with browsing(viewport={"width": 1366, "height": 768}) as open_page:
        page = open_page(running_app.server.address + "television")
        assert cameras.watcher
        show_picture(cameras.watcher)
        expect(page.locator("#watch [data-lost]")).to_be_hidden()
        for width, height in ((1366, 768), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        expect(page.get_by_role("link")).to_have_count(0)
    cameras.watch("none")


def test_only_final_events_are_announced(home: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address + "television")
        enter(home, "A roll 5 5 2", "A keep 5 5 2", seen_on=page)
        expect(page.locator("#announce")).to_have_text("")
        enter(home, "A buy farmer", seen_on=page)
        expect(page.locator("#announce")).to_have_text("Anna: takes Farmer")
        enter(home, "B roll 6 6 6", seen_on=page)
        expect(page.locator("#announce")).to_have_text("Anna: takes Farmer")


def test_a_part_of_the_overlay_is_shown_alone_and_follows_the_game(home: RunningApp) -> None:
    with browsing() as open_page:
        pages = {part: open_page(f"{home.server.address}overlay/{part}?transparent") for part in PARTS}
        before = {part: page.locator("#board").inner_html() for part, page in pages.items()}
        enter(home, "A roll 5 5 2", "A keep 5 5 2", "A buy farmer", "B roll 6 6 6", seen_on=pages["turn"])
        for part, page in pages.items():
            expect(page.locator(f".air-part-{part}")).to_have_count(1)
            if part != "chances":
                changed = "before => document.getElementById('board').innerHTML !== before"
                page.wait_for_function(changed, arg=before[part])
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("path", ["overlay/dragon", "overlay/dragon/board", "overlay/board/board"])
def test_there_is_no_other_part(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404
