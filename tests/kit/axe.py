"""Accessibility checks of pages with axe-core."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from playwright.sync_api import Page

MAX_BYTES = 150_000  # a page with its scripts and styles; the fullest table beside a camera has 149_450
_MORE_OF_THE_SAME = ".lines > li:nth-child(n+20)"  # a record may have 300 lines, and axe takes seconds for them
_MODES: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...] = (
    ("light", {}),
    ("dark", {"runOnly": ["color-contrast"]}),  # the dark theme differs only in colours
)


# An open dialog is checked alone: the page behind it is the same as without it.
_RUN = """async ([exclude, options]) => {
  const include = document.querySelector("dialog[open]") ? [["dialog[open]"]] : [["html"]];
  return (await axe.run({ include, exclude }, options)).violations;
}"""


@cache
def _script() -> str:
    from axe_playwright_python.sync_playwright import Axe  # late: half a megabyte of JavaScript

    return str(Axe().axe_script)


def objections(page: Page, **options: Any) -> list[dict[str, Any]]:
    """The rules that the page, or the dialog that is open on it, violates in its current state."""
    if page.evaluate("!window.axe"):
        page.evaluate(_script())
    options = {"resultTypes": ["violations"], "preload": False, **options}
    return list(page.evaluate(_RUN, [[[_MORE_OF_THE_SAME]], options]))


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
