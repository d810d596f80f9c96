"""Debian's Chromium for tests: opens pages, and fails a test when a page logs an error on its console."""

from __future__ import annotations

import atexit
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Route, expect, sync_playwright

from companion.game.archived import game_repository
from companion.server.bootstrap import RunningApp
from companion.web.pages.boards import MAX_BOARD_LINES
from companion.web.sessions import begin_game
from tests.kit import served_app
from tests.kit.chromium import chromium
from tests.kit.served_app import table_of

TIMEOUT_SECONDS = 60.0  # seconds: a long timeout costs nothing when all is well, and machines may be busy
expect.set_options(timeout=1000 * TIMEOUT_SECONDS)
OpenTable = tuple[Page, RunningApp]
SCREENS = {390: 844, 1366: 768, 1920: 1080}  # a phone, a laptop, a desktop: width → height
# Contexts of a browser, by what they stand for.
SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "landscape": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "desktop": {"viewport": {"width": 1920, "height": 1080}},
}
# Resolves when scripts that react to a new size of the window have done so.
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHORT = MAX_BOARD_LINES  # events of the short past game: all of them fit on its page
_PLAYED = Path(__file__).parents[2] / "tests" / "golden" / "krone_amigo.txt"
LOST = "#connection"


@cache
def _playwright() -> Playwright:
    running = sync_playwright().start()
    atexit.register(running.stop)
    return running


@cache
def _browser(flags: tuple[str, ...]) -> Browser:
    """One browser for all tests of a process, because starting it takes longer than most of them."""
    return _playwright().chromium.launch(executable_path=chromium(), args=["--no-sandbox", *flags])


@contextmanager
def browsing(
    *flags: str, quiet: bool = True, installed: bool = False, **context: Any
) -> Iterator[Callable[[str], Page]]:
    """A new visitor; call the result with an address to open it in a new tab.

    Args:
        quiet: Fail on any console message.
        installed: Pages may install a service worker, whose requests Playwright's routes do not see.
        context: Playwright's options of a browser context.
    """
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def fault(error: Exception) -> None:
        # If a page loads slowly, Chromium skips the transition between pages and reports an exception.
        if not str(error).startswith("Transition was aborted"):
            complaints.append(f"exception: {error}")

    options: dict[str, Any] = {
        "locale": "en",
        "viewport": {"width": 1280, "height": 900},
        "ignore_https_errors": True,
        "reduced_motion": "reduce",
    } | context
    here = _browser(flags).new_context(**options)
    if not installed:
        here.add_init_script("delete Navigator.prototype.serviceWorker")
    here.set_default_timeout(1000 * TIMEOUT_SECONDS)

    def open_page(address: str) -> Page:
        page = here.new_page()
        page.on("console", hear)
        page.on("pageerror", fault)
        page.goto(address)
        return page

    yield open_page
    here.close()
    assert not quiet or not complaints, complaints


def events(running_app: RunningApp) -> list[str]:
    """The events on record."""
    return [line.event for line in table_of(running_app).lines]


def expect_events(running_app: RunningApp, expected: list[str], *, after: int = 0) -> None:
    """Waits until the events on record, from index `after` on, are these: a press is answered some time later."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while (found := events(running_app)[after:]) != expected and time.monotonic() < deadline:
        time.sleep(0.02)
    assert found == expected


def enter(running_app: RunningApp, *lines: str, seen_on: Page | None = None) -> None:
    """Enters events as another person. `seen_on`: wait until that page shows them, because presses on an older board
    are refused."""
    served_app.enter(running_app, *lines)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while (
        seen_on
        and seen_on.locator("#board").get_attribute("data-version")
        != running_app.app_state.session.broadcast.latest.board
    ):
        assert time.monotonic() < deadline, "the page does not show the newest board"
        seen_on.wait_for_timeout(20)


def begin(
    running_app: RunningApp, page: Page, game: str = "krone", players: tuple[str, ...] = ("Anna", "Bert")
) -> None:
    """Starts a new game on an open page, which receives the update by itself as at a real table."""
    begin_game(running_app.app_state, game, players)
    if page.url != running_app.server.address:
        page.goto(running_app.server.address)  # an earlier test may have left it on another page
    assert running_app.app_state.session.running is not None
    page.wait_for_selector(f"#board[data-version^='{running_app.app_state.session.running.serial}.']")


def roll(page: Page, faces: str) -> None:
    """Taps the faces, the last of which enters the roll; returns when exactly these dice are shown."""
    for place, face in enumerate(faces):
        expect(page.locator("[data-pad] [data-slots] use:not([href='#face-0'])")).to_have_count(place)
        page.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).click()
    expect(page.locator(".tray .pick")).to_have_count(len(faces))
    for face in set(faces):
        expect(page.locator(f".tray .pick input[value='{face}']")).to_have_count(faces.count(face))


def shelve_past_games(running_app: RunningApp) -> None:
    """Archives a finished game, and its first two rounds as a separate game."""
    assert running_app.app_state.past.archive is not None
    played = _PLAYED.read_text(encoding="utf-8")
    head, _, all_events = played.partition("\n\n")
    first_rounds = "\n".join(all_events.splitlines()[:SHORT])
    for text in (played, head.replace('Result "Bert"', 'Result "*"') + "\n\n" + first_rounds):
        game_repository.import_record(running_app.app_state.past.archive, text)


def past_game(running_app: RunningApp, finished: bool = False) -> str:
    """The path of the short past game, or of the whole one, whose review takes seconds."""
    assert running_app.app_state.past.archive is not None
    found = next(
        game
        for game in game_repository.summaries(running_app.app_state.past.archive)
        if game.players == ("Anna", "Bert", "Cleo") and game.finished == finished
    )
    return f"history/{found.id}"


def fail(page: Page) -> None:
    """Makes all requests of scripts fail from now on; the page, its files and updates still arrive."""

    def hinder(route: Route) -> None:
        if route.request.resource_type == "fetch":
            route.abort()
        else:
            route.continue_()

    page.route("**/*", hinder)


def block_updates(page: Page) -> None:
    """Delays the updates of a page; call it before the page is opened."""
    page.add_init_script("delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} };")


def stretch_timers(page: Page, *milliseconds: int) -> None:
    """Lengthens timers of these lengths to 100 times, or `window.patience` times. Call it before pages are opened.

    On a busy machine, a test may need longer than the page to look at something that changes by itself.
    """
    page.context.add_init_script(
        f"""
        window.patience = 100;
        const later = setTimeout;
        window.setTimeout = (call, ms) => later(call, {list(milliseconds)}.includes(ms) ? ms * patience : ms);
        """
    )


def recover(page: Page) -> None:
    """Lets all requests succeed again."""
    page.unroute("**/*")
