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

from playwright.sync_api import Page

from companion.server.bootstrap import RunningApp
from tests.kit import figures
from tests.kit.browser import begin, browsing, enter, events, roll
from tests.kit.options import run
from tests.kit.served_app import served_app

# A click on a label fires two events, but a finger or button goes down once.
COUNT = "window.taps = 0; addEventListener('pointerdown', (event) => (taps += event.isTrusted), true);"
SIZES = {"phone, 390 × 844": (390, 844, True), "laptop, 1366 × 768": (1366, 768, False)}
TITLE = "Taps for a turn"
ABOUT = """
Each act is done in Chromium, without a camera. The browser counts the taps, and the record is compared with what was
to be done.
"""


@dataclass(frozen=True, slots=True)
class TapTask:
    """One action: the record before it, the steps on the page, the record after it."""

    name: str
    most: int
    game: str
    before: tuple[str, ...]
    do: Callable[[Page], None]
    after: tuple[str, ...]


def _two_rolls(page: Page) -> None:
    roll(page, "552")
    for place in (0, 1):
        page.locator(".pick").nth(place).click()
    page.get_by_role("group", name="Faces").get_by_role("button", name="5", exact=True).click()
    page.locator("[data-key=offers]").get_by_role("button", name="Farmer").click()


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
    TapTask(
        "Um Krone und Kragen: roll three dice, set two aside, roll the third, take a card", 7, "krone", (), _two_rolls,
        ("A roll 5 5 2", "A keep 5 5", "A roll 5", "A keep 5", "A buy farmer"),
    ),
    TapTask("One die of the last throw was misread", 2, "krone", ("A roll 5 5 2",), _misread, ("A roll 5 5 3",)),
    TapTask("One die of an earlier throw was misread", 4, "krone", ("A roll 5 5 2", "A keep 5"), _correct,
        ("A roll 5 5 3", "A keep 5")),
    TapTask("Undo", 1, "krone", ("A roll 5 5 2",), lambda page: page.get_by_role("button", name="↶ Undo").click(), ()),
)  # fmt: skip


def taps(running_app: RunningApp, page: Page, act: TapTask) -> int:
    """The number of taps of an action.

    Raises:
        AssertionError: It was not done within a minute.
    """
    begin(running_app, page, act.game)
    enter(running_app, *act.before, seen_on=page)
    page.evaluate("window.taps = 0")
    act.do(page)
    for _ in range(600):
        if tuple(events(running_app)) == act.after:
            return int(page.evaluate("taps"))
        page.wait_for_timeout(100)
    raise AssertionError(f"{act.name}: the record says {events(running_app)}")


def main(keep: bool = False) -> int:
    """Counts and reports; status 1 if an action takes more taps than its target."""
    counted: dict[str, list[int]] = {act.name: [] for act in ACTS}
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as running_app:
        for width, height, touch in SIZES.values():
            screen = {"width": width, "height": height}
            with browsing(viewport=screen, has_touch=touch, is_mobile=touch) as open_page:
                page = open_page("about:blank")
                page.add_init_script(COUNT)
                for act in ACTS:
                    counted[act.name].append(taps(running_app, page, act))
    rows = [{"act": act.name, "most": act.most} | dict(zip(SIZES, counted[act.name], strict=True)) for act in ACTS]
    figures.report("taps", TITLE, ABOUT, rows, keep=keep)
    return int(any(max(counted[act.name]) > act.most for act in ACTS))


if __name__ == "__main__":
    run(main)
