"""Debian's Chromium for tests: opens pages and fails the test when one of them complains on its console."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect, sync_playwright

expect.set_options(timeout=30_000)
NAMES = ("chromium", "chromium-browser", "google-chrome")


@cache
def _playwright() -> Playwright:
    running = sync_playwright().start()
    atexit.register(running.stop)
    return running


@cache
def _browser(flags: tuple[str, ...]) -> Browser:
    """One browser for all tests of a process: starting it takes longer than most of them."""
    path = next(found for name in NAMES if (found := shutil.which(name)))
    return _playwright().chromium.launch(executable_path=path, args=["--no-sandbox", *flags])


@contextmanager
def browsing(*flags: str, quiet: bool = True, **context: Any) -> Iterator[Callable[[str], Page]]:
    """A visitor without a past; call what you get with an address to open it in a new tab.

    quiet: nothing may be said on the console. context: Playwright's options of a browser context.
    """
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    options = {"locale": "en", "viewport": {"width": 1280, "height": 900}, "ignore_https_errors": True} | context
    here = _browser(flags).new_context(**options)
    here.set_default_timeout(60_000)  # patience costs nothing where all is well, and machines may be busy

    def open_page(address: str) -> Page:
        page = here.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
        page.goto(address)
        return page

    yield open_page
    here.close()
    assert not quiet or not complaints, complaints
