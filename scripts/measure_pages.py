"""Measures every page in Chromium: python -m scripts.measure_pages [--write docs/pages.md]

Prints for each page what it weighs (all that is fetched, pictures of the camera left out), when something is first
painted for a browser that has never been here, and the slowest answer to a click or key: from the event to the next
picture painted, as the browser's own Event Timing tells it. A page is opened three times by a new visitor and the
smallest times count; the limits are 150 kB, 1 s and 100 ms.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path

from playwright.sync_api import Page

from companion.game.archived import game_repository
from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game, watch_source
from tests.kit.browser import browsing, enter
from tests.kit.served_app import served_app

ROOT = Path(__file__).parents[1]
LIMITS = (150_000, 1.0, 100.0)
LOADS = 3
# Set before the page's own scripts run. 16 ms is the least that Event Timing tells about.
WATCH = """
window.slowest = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (one.interactionId) window.slowest = Math.max(window.slowest, one.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
FIGURES = """
[
  performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
    .filter(({ name }) => !name.includes("/picture"))
    .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
  performance.getEntriesByName("first-contentful-paint")[0].startTime,
]
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"
HEAD = """# What the pages weigh, and how fast they are

Are the pages light, and do they answer at once?

Written by `python -m scripts.measure_pages --write docs/pages.md` in Debian's Chromium: everything a page fetches but
the camera's picture (promised: under 150 kB), from the request to the first paint in a browser that was never here
(under 1 s), and from a key or click to the next picture painted (Event Timing; under 100 ms). Three visitors a page;
the heaviest and the quickest count. While the camera's pages are measured the demo's film is read.
Known limits: one browser on the same computer, no radio link, no phone's processor.

| page | kB | first paint, s | answer, ms | met |
|---|---|---|---|---|""".splitlines()
CAMERA = ("camera", "camera/dice", "phone")
Act = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class Measured:
    """Bytes; seconds to the first paint; milliseconds of the slowest interaction, 0 = less than can be told."""

    weight: int
    paint: float
    interaction: float

    @property
    def met(self) -> bool:
        """Whether it is within the limits."""
        most, late, slow = LIMITS
        return self.weight < most and self.paint < late and self.interaction < slow


def click(*names: str) -> Act:
    """Press these buttons one after the other."""

    def act(page: Page) -> None:
        for name in names:
            page.get_by_role("button", name=name).first.click()

    return act


def keys(*pressed: str) -> Act:
    """Press these keys one after the other."""

    def act(page: Page) -> None:
        for key in pressed:
            page.keyboard.press(key)

    return act


def slide(page: Page) -> None:
    """Go back through a game."""
    page.locator("#moment").focus()
    keys("ArrowLeft", "ArrowLeft", "PageDown", "Home")(page)


def search(page: Page) -> None:
    """Look for a card."""
    page.get_by_role("searchbox").press_sequentially("dice")


def unfold(page: Page) -> None:
    """Open what can be opened: the explanations of a page that one only reads."""
    page.locator("#language").focus()
    keys("Tab", "Tab")(page)


def move_corner(page: Page) -> None:
    """Draw the areas of the table: a corner with the arrow keys."""
    page.get_by_role("button", name="Draw the areas").click()
    page.locator(".handles [tabindex]").first.focus()
    keys("ArrowRight", "ArrowRight", "ArrowDown")(page)


def pages(past: str) -> dict[str, Act]:
    """Every page by its path, and what one does there."""
    return {
        "": keys("5", "5", "2", "Enter", "u"),
        "me/A": unfold,
        "overlay": keys("Tab"),
        "new": lambda page: page.locator("input[name=player]").first.press_sequentially("Anna"),
        "history": unfold,
        past: slide,
        f"{past}/review": unfold,
        "cards?game=krone": search,
        "cards?game=knatsch": search,
        "invite": unfold,
        "camera": move_corner,
        "camera/dice": unfold,
        "phone": click("Start camera"),
    }


def measured(address: str, act: Act) -> Measured:
    """One page, opened by a new visitor each time."""
    found: list[Measured] = []
    for _ in range(LOADS):
        with browsing(quiet=False) as open_page:
            page = open_page("about:blank")
            page.add_init_script(WATCH)
            page.goto(address, wait_until="load")
            while not page.evaluate(PAINTED):  # not wait_for_function: it needs eval, which our policy forbids
                page.wait_for_timeout(20)
            weight, paint = page.evaluate(FIGURES)
            act(page)
            page.wait_for_timeout(300)
            found.append(Measured(weight, paint / 1000, page.evaluate("window.slowest")))
    return Measured(
        *(best(part) for best, part in zip((max, min, min), zip(*map(astuple, found), strict=True), strict=True))
    )


def table(running_app: RunningApp) -> tuple[str, bool]:
    """All pages of both games as a table, and whether all limits are met."""
    assert running_app.app_state.archive is not None
    played = (ROOT / "tests" / "golden" / "krone_amigo.txt").read_text(encoding="utf-8")
    past = f"history/{game_repository.import_record(running_app.app_state.archive, played)}"
    lines, met = list(HEAD), True
    everything = pages(past)
    for game in ("krone", "knatsch", "camera"):
        if game == "camera":
            watch_source(running_app.app_state, "demo", running_app.app_state.model)
            chosen = {path: everything[path] for path in CAMERA}
        else:
            begin_game(running_app.app_state, game, ("Anna", "Bert", "Carl"))
            chosen = {path: act for path, act in everything.items() if path not in CAMERA}
        if game == "knatsch":
            enter(running_app, "A deal castle-red", "B deal castle-blue", "C deal castle-green 3-3-3+4")
            enter(running_app, "A reveal left castle-black 1-1-1+1", "A target left")
            chosen = {path: everything[path] for path in ("me/A", "overlay")}
            chosen[""] = keys("5", "5", "2", "3", "4", "1", "Enter", "u")
        for path, act in chosen.items():
            one = measured(running_app.server.address + path, act)
            name = f"{'' if game == 'camera' else game} /{path.replace(past, 'history/GAME')}"
            shown = f"{one.interaction:.0f}" if one.interaction else "< 16"
            row = f"| {name} | {one.weight / 1000:.0f} | {one.paint:.2f} | {shown} | {'yes' if one.met else 'no'} |"
            print(row, flush=True)
            lines.append(row)
            met = met and one.met
    return "\n".join(lines), met


def main() -> int:
    """Status 1 when a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as running_app:
        begun = time.monotonic()
        lines, met = table(running_app)
    end = f"\n\n{os.cpu_count()} cores, load at the end {os.getloadavg()[0]:.1f}, {time.monotonic() - begun:.0f} s.\n"
    print(end)
    if asked.write:
        asked.write.write_text(lines + end, encoding="utf-8")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
