"""Debian's Chromium for tests: opens pages and fails the test when one of them complains on its console."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import ConsoleMessage, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browsing(*flags: str, quiet: bool = True, **context: Any) -> Iterator[Callable[[str], Page]]:
    """A browser; call what you get with an address to open it in a new tab. `context`: Playwright's context options."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    with sync_playwright() as playwright:
        path = next(found for name in NAMES if (found := shutil.which(name)))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *flags])
        options = {"locale": "en", "viewport": {"width": 1280, "height": 900}, "ignore_https_errors": True} | context
        here = browser.new_context(**options)
        here.set_default_timeout(10_000)

        def open_page(address: str) -> Page:
            page = here.new_page()
            page.on("console", hear)
            page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
            page.goto(address)
            return page

        yield open_page
        browser.close()
    assert not quiet or not complaints, complaints
