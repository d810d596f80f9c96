"""axe-core looks at pages for what keeps people out."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.kit.browser import SCREENS

AXE = Path(__file__).parents[2] / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = min(SCREENS)
MOST_BYTES = 150_000


def axe() -> Path:
    """axe-core from the npm registry, kept in the ignored build folder; the test is left out where it cannot be had."""
    if why_not := _fetched():
        pytest.skip(why_not)
    return AXE


@cache
def _fetched() -> str:
    """Why axe-core cannot be had, asked once; nothing where it is there."""
    if AXE.exists():
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "axe-core needs npm (Debian: apt install npm)"
    folder = AXE.parents[2]
    folder.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), "axe-core@4"]
    if subprocess.run(command, check=False, capture_output=True, timeout=120).returncode:
        return "axe-core could not be fetched from the npm registry"
    return ""


def check_page(page: Page, address: str) -> None:
    """The page weighs little, is no wider than any screen, and axe finds nothing on it as a phone shows it."""
    assert len(page.request.get(address).body()) < MOST_BYTES
    page.set_viewport_size({"width": PHONE, "height": SCREENS[PHONE]})
    assert violations(page, address) == {}
    for width, height in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (address, width)


def violations(page: Page, address: str) -> dict[str, list[str]]:
    """What axe objects to on a page: the rule → where. By night only the colours are others.

    The page's policy forbids foreign scripts, the checker's too: its visitor goes without (`bypass_csp`).
    """
    page.emulate_media(color_scheme="light")
    page.goto(address)
    page.wait_for_function("!document.querySelector('[aria-busy=true]')")  # what is still being reckoned is dimmed
    return violations_now(page)


def violations_now(page: Page) -> dict[str, list[str]]:
    """The same of a page as it stands now, with a dialog open perhaps."""
    page.add_script_tag(path=axe())
    address, found = page.url, {}
    modes: list[tuple[Literal["light", "dark"], dict[str, Any]]]
    modes = [("light", {}), ("dark", {"runOnly": ["color-contrast"]})]
    for scheme, only in modes:
        page.emulate_media(color_scheme=scheme)
        result = page.evaluate(
            "options => axe.run(document, options)", {"resultTypes": ["violations"], "preload": False, **only}
        )
        for violation in result["violations"]:
            where = [node["html"][:160] for node in violation["nodes"]][:3]
            found[f"{address} {scheme} {violation['id']}"] = where
    return found
