"""Announcements appear on every screen for some seconds, optionally with a sound; in Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.game.table import Table
from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from engine.record_header import new_record
from tests.kit import browser
from tests.kit.browser import SIZES, enter, expect_events, stretch_timers

pytestmark = pytest.mark.browser
GAME = Path(__file__).parents[1] / "golden" / "krone_amigo.txt"
KING = 272  # the event of that game that claims the King
TWO_CASTLES = (
    "A castle-red / B castle-blue castle-white=4-4-4+2 / C castle-green / left castle-green=3-3-3+2 21*? / "
    "right stack 21*? / king=? turn=A round=1"
)
# Notes down what the page would play: the frequency of each tone.
SOUNDS = """
window.tones = [];
const knob = () => ({ value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} });
window.AudioContext = class {
  currentTime = 0;
  resume() {}
  createGain() { return { gain: knob(), connect: (next) => next }; }
  createOscillator() {
    const frequency = knob();
    return { frequency, connect: (next) => next, start: () => tones.push(frequency.value), stop() {} };
  }
};
"""


@contextmanager
def browsing(**options: Any) -> Iterator[Callable[[str], Page]]:
    """A visitor whose announcements stay until the test has seen them, instead of 4 or 6 s."""
    with browser.browsing(**options) as open_page:
        stretch_timers(open_page("about:blank"), 4000, 6000)
        yield open_page


def test_a_purchase_is_announced_on_every_screen_and_can_be_undone_there(running_app: RunningApp) -> None:
    begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
    enter(running_app, "A roll 5 5 2")
    with browsing(**SIZES["laptop"]) as open_page:
        page = open_page(running_app.server.address)
        others = [
            open_page(running_app.server.address + path) for path in ("me/B", "television", "overlay", "overlay/moment")
        ]
        strip = page.locator("#moment")
        expect(strip).to_be_hidden()
        page.locator("[data-key=offer-farmer] button").click()
        expect(strip).to_have_text("Anna takes the Farmer.Undo")
        for other in others:
            expect(other.locator("#moment > p")).to_have_text("Anna takes the Farmer.")
        expect(page.locator("#announce")).to_have_text("Anna takes the Farmer.")
        strip.get_by_role("button", name="Undo").click()
        expect(strip).to_be_hidden()
        expect_events(running_app, ["A roll 5 5 2"])
        page.evaluate("patience = 1")
        page.locator("[data-key=offer-farmer] button").click()
        expect(strip).to_be_visible()
        page.mouse.move(5, 5)
        expect(strip).to_be_hidden()


def test_the_claim_of_the_king_is_announced_across_the_whole_width(running_app: RunningApp) -> None:
    before, claim = golden()
    begin_game(running_app.app_state, "krone", ("Anna", "Bert", "Cleo"))
    enter(running_app, *before)
    with browsing() as open_page:
        page = open_page(running_app.server.address)
        enter(running_app, claim, seen_on=page)
        strip = page.locator("#moment[data-great]")
        expect(strip).to_contain_text("Anna claims the King. Final round: beat 8 × 3.")
        for size in SIZES.values():
            page.set_viewport_size(size["viewport"])
            box = strip.bounding_box()
            assert box
            assert box["width"] >= page.evaluate("document.body.clientWidth") - 1


def test_each_kind_of_event_has_its_own_sound_and_none_where_it_is_not_wanted(running_app: RunningApp) -> None:
    before, claim = golden()
    with browsing() as open_page:
        page = open_page("about:blank")
        page.add_init_script(SOUNDS)
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
        page.goto(running_app.server.address)
        enter(running_app, "A roll 5 5 2", "A buy farmer", seen_on=page)
        expect(page.locator("#moment")).to_be_visible()
        assert page.evaluate("tones") == []
        page.get_by_label("Play a short sound for each event").check()
        heard = {
            "gain": sound_of(page, running_app, "B roll 6 4 2", "B buy philosopher"),
            "none": sound_of(page, running_app, "B roll 6 5 1", "B keep 6 5 1", "B pass"),
        }
        page.goto("about:blank")  # or the page shows every event
        begin_game(running_app.app_state, "krone", ("Anna", "Bert", "Cleo"))
        enter(running_app, *before)
        heard["great"] = sound_of(page, running_app, claim)
        running_app.app_state.session.begin(
            Table(new_record("knatsch", ("Anna", "Bert", "Cleo"), Position=TWO_CASTLES)), None
        )
        heard["alert"] = sound_of(page, running_app, "A target B castle-white")
        assert all(heard.values()), heard
        assert len(set(map(tuple, heard.values()))) == len(heard), heard


def golden() -> tuple[list[str], str]:
    """The events of a game of three players up to the claim of the King."""
    lines = GAME.read_text(encoding="utf-8").splitlines()
    events = [line.partition(" {")[0] for line in lines if line[:2] in ("A ", "B ", "C ")]
    return events[: KING - 1], events[KING - 1]


def sound_of(page: Page, running_app: RunningApp, *events: str) -> list[int]:
    """The tones that a newly opened page plays when this happens."""
    page.goto(running_app.server.address)
    enter(running_app, *events, seen_on=page)
    expect(page.locator("#moment")).to_be_visible()
    tones: list[int] = page.evaluate("tones")
    return tones
