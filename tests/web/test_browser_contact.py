"""Pages that lose the connection report it, reconnect by themselves and show the current state."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.kit.browser import (
    LOST,
    SHORT,
    SIZES,
    block_updates,
    browsing,
    enter,
    expect_events,
    fail,
    past_game,
    recover,
    shelve_past_games,
)
from tests.kit.lateness import lateness
from tests.kit.postgresql_server import free_port
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser


def test_open_pages_live_through_a_restart_of_the_companion(tmp_path: Path) -> None:
    paths = ("", "overlay", "me/A", "camera")
    with browsing(quiet=False) as open_page:
        with served_app(tmp_path, port=free_port()) as first:
            pages = {path: open_page(first.server.address + path) for path in paths}
            enter(first, "A roll 5 5 2")
            expect(pages[""].locator(".tray .pick")).to_have_count(3)
            expect(pages["camera"].locator("[data-state-of]")).to_contain_text("by hand")
        for page in pages.values():
            expect(page.locator(LOST)).to_be_visible()
            expect(page.locator(LOST)).to_contain_text("Trying again")
        with served_app(tmp_path, players=(), resume="", port=first.server.port) as second:
            enter(second, "A keep 5 5")  # what they have missed
            for path, dice in (("", ".tray .pick"), ("overlay", ".air-dice .die"), ("me/A", ".tray .pick")):
                expect(pages[path].locator(dice)).to_have_count(3 if path == "overlay" else 1)
            for page in pages.values():
                expect(page.locator(LOST)).to_be_hidden()
            page = pages[""]
            page.get_by_role("button", name="↶ Undo").click()  # the forms of before are still good
            expect(page.locator(".tray .pick")).to_have_count(3)
            expect_events(second, ["A roll 5 5 2"])


def test_presses_while_the_connection_is_lost_are_not_lost(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app, browsing(quiet=False) as open_page:
        page = open_page(running_app.server.address)
        fail(page)
        page.locator("#rolled").fill("5 5 2")
        page.get_by_role("button", name="Enter roll").click()
        expect(page.locator(LOST)).to_be_visible()
        expect(page.locator("#rolled")).to_have_value("5 5 2")
        recover(page)
        expect(page.locator(LOST)).to_be_hidden()
        page.get_by_role("button", name="Enter roll").click()
        expect(page.locator(".tray .pick")).to_have_count(3)
        fail(page)
        page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
        expect(page.locator(LOST)).to_be_visible()
        enter(running_app, "A keep 5 5")
        recover(page)
        expect(page.locator(LOST)).to_be_hidden()
        expect(page.locator(".tray .pick")).to_have_count(1)
        page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
        expect(page.locator("dialog [name=event]")).to_have_value("A roll 5 5 2")
        expect_events(running_app, ["A roll 5 5 2", "A keep 5 5"])


def test_past_games_and_the_camera_page_try_again(tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app, browsing(quiet=False) as open_page:
        shelve_past_games(running_app)
        page = open_page("about:blank")

        def failing(path: str) -> None:
            fail(page)
            page.goto(running_app.server.address + path)

        failing(past_game(running_app))
        page.get_by_role("button", name="Previous entry").click()
        expect(page.locator("output")).to_have_text(f"{SHORT - 1} / {SHORT}")
        expect(page.locator(LOST)).to_be_visible()
        expect(page.locator(".lines li")).to_have_count(SHORT)  # still the end
        recover(page)
        expect(page.locator(".lines li")).to_have_count(SHORT - 1)
        expect(page.locator("polyline")).to_have_count(3)
        expect(page.locator(LOST)).to_be_hidden()
        failing("camera")
        expect(page.locator(LOST)).to_be_visible()
        recover(page)
        expect(page.locator("[data-state-of]")).to_contain_text("by hand")
        expect(page.locator(LOST)).to_be_hidden()
        failing(past_game(running_app, finished=True) + "/review")  # so long that its end comes later
        expect(page.locator(LOST)).to_be_visible()
        recover(page)
        expect(page.locator(".balance tbody tr")).to_have_count(3)
        expect(page.locator(LOST)).to_be_hidden()


def test_the_other_pages_ask_for_nothing_and_work_all_the_same(tmp_path: Path) -> None:
    with served_app(tmp_path, players=()) as running_app, browsing(quiet=False) as open_page:
        page = open_page("about:blank")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if request.resource_type == "fetch" else None)
        fail(page)
        for path in ("history", "invite"):
            page.goto(running_app.server.address + path)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.goto(f"{running_app.server.address}cards?game=krone")
        page.get_by_role("searchbox").fill("five alike")
        expect(page.locator("#cards tbody tr:visible")).to_have_count(1)
        page.goto(f"{running_app.server.address}new")
        page.get_by_label("Player 1", exact=True).fill("Anna")
        page.get_by_label("Player 2", exact=True).fill("Bert")
        assert asked == []
        page.get_by_role("button", name="Start game").click()
        expect(page.get_by_role("heading", name="Anna").first).to_be_visible()


def test_a_lost_press_is_reported_in_view_and_an_outdated_board_can_be_left(tmp_path: Path) -> None:
    phone, desktop = SIZES["phone"]["viewport"], SIZES["desktop"]["viewport"]
    with browsing(quiet=False, viewport=phone) as open_page:
        with served_app(tmp_path, port=free_port()) as first:
            page = open_page(first.server.address)
            enter(first, "A roll 5 5 2")
            expect(page.locator(".tray .pick")).to_have_count(3)
            page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
            page.locator("dialog .as-text summary").click()
            expect(page.locator("dialog [name=event]")).to_be_visible()
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        for size in (desktop, phone):
            page.set_viewport_size(size)
            expect(page.locator(LOST)).to_be_visible()
            expect(page.locator(LOST)).to_be_in_viewport()
        # Above the dialog: it was shown in the browser's top layer after it.
        assert page.locator(LOST).evaluate("said => said.matches(':popover-open')")
        page.wait_for_timeout(3000)
        expect(page.locator(LOST)).to_be_visible()
        page.keyboard.press("Escape")
        with served_app(tmp_path, players=(), port=first.server.port) as second:
            said = page.get_by_role("alert")
            expect(said).to_contain_text("this game is no longer open")
            expect(said).to_be_in_viewport()
            expect(page.locator(LOST)).to_be_hidden()
            assert page.locator("#board").evaluate("board => board.inert")
            said.get_by_role("link", name="Continue a game").click()
            page.get_by_role("button", name="Resume Anna, Bert").click()
            expect(page.locator(".tray .pick")).to_have_count(3)
            expect_events(second, ["A roll 5 5 2"])


def test_a_press_before_the_news_of_a_restart_says_that_the_game_is_gone(tmp_path: Path) -> None:
    with browsing(quiet=False) as open_page:
        with served_app(tmp_path, port=free_port()) as first:
            page = open_page("about:blank")
            block_updates(page)
            page.goto(first.server.address)
            page.locator("#rolled").fill("5 5 2")
        with served_app(tmp_path, players=(), port=first.server.port):
            page.get_by_role("button", name="Enter roll").click()
            expect(page.get_by_role("alert")).to_contain_text("this game is no longer open")
            expect(page.locator("#rolled")).to_have_value("5 5 2")


# How late the page's own timers are at most, milliseconds, on a busy machine.
LATE = """() => {
    window.late = 0;
    let last = performance.now();
    setInterval(() => {
        const now = performance.now();
        late = Math.max(late, now - last - 50);
        last = now;
    }, 50);
}"""

# When this is seen first, by the page's own clock: asking again and again from outside is up to a second late.
NOTICED = """lost => {
    const look = setInterval(() => {
        if (!document.querySelector(lost)?.checkVisibility({visibilityProperty: true})) return;
        window.noticed = Date.now();
        clearInterval(look);
    }, 10);
}"""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops a process by a signal")
def test_a_companion_that_hangs_with_its_connections_open_is_noticed_within_two_seconds(tmp_path: Path) -> None:
    begin = "from companion.cli import main; main()"
    archive = f"sqlite:///{tmp_path / 'archive.sqlite3'}"
    words = ["play", "--source", "none", "--players", "Anna,Bert", "--port", "0", "--archive", archive]
    program = subprocess.Popen(
        [sys.executable, "-c", begin, *words],
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    with program, browsing(quiet=False) as open_page:
        try:
            address = program.stdout.readline().split()[-1]
            page, own = open_page(address), open_page("about:blank")
            own.add_init_script("delete window.SharedWorker")
            own.goto(address)
            for one in (page, own):
                expect(one.locator("#rolled")).to_be_visible()
            page.evaluate(LATE)
            page.wait_for_timeout(4000)
            expect(page.locator(LOST)).to_be_hidden()
            page.evaluate(NOTICED, LOST)
            with lateness() as late:
                stopped = time.time()
                program.send_signal(signal.SIGSTOP)
                expect(page.locator(LOST)).to_be_visible()
                page.wait_for_function("() => window.noticed")
            noticed = page.evaluate("noticed") / 1000 - stopped
            assert noticed <= 2.0 + page.evaluate("late") / 1000 + late.seconds, "and as late as this machine is"
            expect(own.locator(LOST)).to_be_visible()
            program.send_signal(signal.SIGCONT)
            for one in (page, own):
                expect(one.locator(LOST)).to_be_hidden()
        finally:
            program.send_signal(signal.SIGCONT)
            program.terminate()
