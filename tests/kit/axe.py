"""Accessibility checks of pages with axe-core."""

from __future__ import annotations

from typing import Any, Literal

from playwright.sync_api import Page

MOST_BYTES = 150_000
_MORE_OF_THE_SAME = ".lines > li:nth-child(n+20)"  # a record may have 300 lines, and axe takes seconds for them
_MODES: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...] = (
    ("light", {}),
    ("dark", {"runOnly": ["color-contrast"]}),  # the dark theme differs only in colours
)


def objections(page: Page, **options: Any) -> list[dict[str, Any]]:
    """The rules that the page violates in its current state."""
    from axe_playwright_python.sync_playwright import Axe  # late: half a megabyte of JavaScript

    context = {"exclude": [[_MORE_OF_THE_SAME]]}
    found = Axe().run(page, context, {"resultTypes": ["violations"], "preload": False, **options}).response
    return list(found["violations"])


def violations(page: Page, address: str, night: bool = True) -> dict[str, list[str]]:
    """The violations that axe reports on a page: rule → elements. `night`: also check the dark theme."""
    page.emulate_media(color_scheme="light")
    page.goto(address)
    page.wait_for_function("!document.querySelector('[aria-busy=true]')")  # values still being computed are dimmed
    return violations_now(page, night)


def violations_now(page: Page, night: bool = True) -> dict[str, list[str]]:
    """The violations on the page in its current state, for example with a dialog open."""
    found = {}
    for scheme, options in _MODES if night else _MODES[:1]:
        page.emulate_media(color_scheme=scheme)
        for one in objections(page, **options):
            found[f"{page.url} {scheme} {one['id']}"] = [node["html"][:160] for node in one["nodes"]][:3]
    return found
