#!/usr/bin/env python
"""Counts the taps that a turn without a camera takes: python -m scripts.count_taps [--keep]

Each action is done on the page; the browser counts taps, and the record shows that the action was done. Status 1 if one
takes more taps than its target.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from companion.server.bootstrap import RunningApp
from tests.kit import figures
from tests.kit.browser import SIZES, begin, browsing, enter, events
from tests.kit.options import run
from tests.kit.served_app import served_app, until
from tests.kit.taps import COUNT_TAPS, TURNS, tap

SCREENS = {"phone, 390 × 844": SIZES["phone"], "laptop, 1366 × 768": SIZES["laptop"]}
TITLE = "Taps for a turn"
ABOUT = """
Each act is done in Chromium, without a camera. The browser counts the taps, and the record is compared with what was
to be done. Taps that enter the faces of rolls are not counted, because every way of entry needs them.
"""


@dataclass(frozen=True, slots=True)
class Act:
    """One action on a game of Um Krone und Kragen: the record before it, the steps on the page, the record after it."""

    name: str
    most: int
    before: tuple[str, ...]
    do: Callable[[Page], None]
    after: tuple[str, ...]


def _misread(page: Page) -> None:
    page.locator(".pick").nth(2).click()
    page.get_by_role("button", name="Fix die").click()
    page.locator("[data-shows]").get_by_role("button", name="3", exact=True).click()


def _correct(page: Page) -> None:
    page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
    page.locator("dialog [data-turn]").nth(2).click()
    page.locator("dialog [data-set='3']").click()
    page.locator("dialog").get_by_role("button", name="Fix", exact=True).click()


ACTS = (
    Act("One die of the last roll was misread", 3, ("A roll 5 5 2",), _misread, ("A roll 5 5 3",)),
    Act("One die of an earlier roll was misread", 4, ("A roll 5 5 2", "A keep 5"), _correct,
        ("A roll 5 5 3", "A keep 5")),
    Act("Undo", 1, ("A roll 5 5 2",), lambda page: page.get_by_role("button", name="↶ Undo").click(), ()),
)  # fmt: skip


def taps(running_app: RunningApp, page: Page, act: Act) -> int:
    """The number of taps of an action.

    Raises:
        AssertionError: It was not done within a minute.
    """
    begin(running_app, page)
    enter(running_app, *act.before, seen_on=page)
    page.evaluate("window.taps = 0")
    act.do(page)
    until(lambda: tuple(events(running_app)) == act.after)
    return int(page.evaluate("taps"))


def main(keep: bool = False) -> int:
    """Counts and reports; status 1 if an action takes more taps than its target."""
    rows: list[dict[str, Any]] = [{"act": turn.name, "faces": turn.faces, "most": turn.most} for turn in TURNS]
    rows += [{"act": act.name, "faces": 0, "most": act.most} for act in ACTS]
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as running_app:
        for name, context in SCREENS.items():
            with browsing(**context) as open_page:
                page = open_page("about:blank")
                page.add_init_script(COUNT_TAPS)
                counted = [tap(running_app, page, turn) for turn in TURNS]
                counted += [taps(running_app, page, act) for act in ACTS]
            rows = [row | {name: count} for row, count in zip(rows, counted, strict=True)]
    figures.report("taps", TITLE, ABOUT, rows, keep=keep)
    return int(any(row[name] > row["most"] for row in rows for name in SCREENS))


if __name__ == "__main__":
    run(main)
