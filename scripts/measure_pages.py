"""Measures every page in Chromium: python -m scripts.measure_pages

Prints for each page what it weighs (all that is fetched, pictures of the camera left out), when something is first
painted, and the slowest answer to a click or key: from the event to the next picture painted, as the browser's own
Event Timing tells it. A page is loaded three times and the smallest figures count; the limits are 150 kB, 1 s and
100 ms.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from companion.archive import shelf
from companion.evening import begin_game
from companion.hosting import Hosting
from tests.browsing import browsing, enter
from tests.house import house

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
Act = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class Measured:
    """Bytes; seconds to the first paint; milliseconds of the slowest interaction, None where there was none to try."""

    weight: int
    paint: float
    interaction: float | None

    @property
    def met(self) -> bool:
        """Whether it is within the limits."""
        most, late, slow = LIMITS
        return self.weight < most and self.paint < late and (self.interaction or 0) < slow


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


def pages(past: str) -> dict[str, Act | None]:
    """Every page by its path, and what one does there."""
    return {
        "": keys("5", "5", "2", "Enter", "u"),
        "me/A": None,
        "overlay": None,
        "new": lambda page: page.locator("input[name=player]").first.press_sequentially("Anna"),
        "history": None,
        past: slide,
        f"{past}/review": None,
        "cards?game=krone": search,
        "cards?game=knatsch": search,
        "camera": None,
        "invite": None,
        "phone": None,
    }


def measured(page: Page, address: str, act: Act | None) -> Measured:
    """One page, loaded afresh each time."""
    found: list[Measured] = []
    for _ in range(LOADS):
        page.goto("about:blank")
        page.goto(address, wait_until="load")
        page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
        weight, paint = page.evaluate(FIGURES)
        slowest = None
        if act is not None:
            act(page)
            page.wait_for_timeout(300)
            slowest = page.evaluate("window.slowest")
        found.append(Measured(weight, paint / 1000, slowest))
    tried = [one.interaction for one in found if one.interaction is not None]
    return Measured(max(one.weight for one in found), min(one.paint for one in found), min(tried) if tried else None)


def table(hosting: Hosting) -> bool:
    """Measure and print all pages of both games; whether all limits are met."""
    assert hosting.room.archive is not None
    played = (ROOT / "tests" / "golden" / "krone_amigo.txt").read_text(encoding="utf-8")
    past = f"history/{shelf.import_record(hosting.room.archive, played)}"
    met = True
    print(f"{'page':44} {'bytes':>8} {'paint s':>8} {'input ms':>9}")
    for game in ("krone", "knatsch"):
        begin_game(hosting.room, game, ("Anna", "Bert", "Carl"))
        if game == "knatsch":
            enter(hosting, "A deal castle-red", "B deal castle-blue", "C deal castle-green 3-3-3+4")
            enter(hosting, "A reveal left castle-black 1-1-1+1", "A target left")
        chosen = pages(past) if game == "krone" else {"": keys("5", "5", "2", "3", "4", "1", "Enter", "u")}
        if game == "knatsch":
            chosen |= {"me/A": None, "overlay": None}
        for path, act in chosen.items():
            with browsing(quiet=False) as open_page:
                page = open_page("about:blank")
                page.add_init_script(WATCH)
                one = measured(page, hosting.server.address + path, act)
            shown = "–" if one.interaction is None else "< 16" if not one.interaction else f"{one.interaction:.0f}"
            name = f"{game} /{path.replace(past, 'history/GAME')}"
            print(f"{name:44} {one.weight:8,} {one.paint:8.2f} {shown:>9}{'' if one.met else '   too much'}")
            met = met and one.met
    return met


def main() -> None:
    """Measure, and say how busy the machine was."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as hosting:
        begun = time.monotonic()
        met = table(hosting)
    load, *_ = os.getloadavg()
    print(f"{'all limits met' if met else 'not all limits met'}; {os.cpu_count()} cores, load {load:.1f}, ", end="")
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
