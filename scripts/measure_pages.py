"""Measures every page in Chromium: python -m scripts.measure_pages [--keep]

It prints for each page the bytes fetched (without camera images), the time to first paint for a first-time visitor, and
the slowest response to a click or key, from the event to the next paint, by the browser's Event Timing. Each page is
opened three times by a new visitor and the smallest values count; the limits are 150 kB, 1 s and 100 ms.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

from playwright.sync_api import Page

from companion.game.archived import game_repository
from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit import figures
from tests.kit.browser import browsing, enter
from tests.kit.options import run
from tests.kit.served_app import served_app

ROOT = Path(__file__).parents[1]
LIMITS = (150_000, 1.0, 100.0)
LOADS = 3
# Set before the page's own scripts run. 16 ms is the minimum duration that Event Timing reports.
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
TITLE = "Weight and speed of the pages"
ABOUT = """
Are the pages light, and do they respond at once?

In Debian's Chromium: everything a page loads except the camera picture (target: under 150 kB), from the request to
the first paint in a fresh browser (under 1 s), and from a key or click to the next paint (Event Timing; under 100
ms). Three visits per page; the heaviest and the fastest count. The demo film is being read while the camera pages are
measured. Limits of this test: one browser on the same computer, no radio link, no phone processor.
"""
CAMERA = ("camera", "camera/dice", "phone")
Act = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class PageMeasurement:
    """Bytes; seconds to the first paint; milliseconds of the slowest interaction, 0 if below the resolution."""

    weight: int
    paint: float
    interaction: float

    @property
    def met(self) -> bool:
        """Whether the page is within the limits."""
        most, late, slow = LIMITS
        return self.weight < most and self.paint < late and self.interaction < slow


def click(*names: str) -> Act:
    """An action that presses these buttons one after the other."""

    def act(page: Page) -> None:
        for name in names:
            page.get_by_role("button", name=name).first.click()

    return act


def keys(*pressed: str) -> Act:
    """An action that presses these keys one after the other."""

    def act(page: Page) -> None:
        for key in pressed:
            page.keyboard.press(key)

    return act


def slide(page: Page) -> None:
    """Moves back through a game."""
    page.locator("#moment").focus()
    keys("ArrowLeft", "ArrowLeft", "PageDown", "Home")(page)


def search(page: Page) -> None:
    """Searches for a card."""
    page.get_by_role("searchbox").press_sequentially("dice")


def unfold(page: Page) -> None:
    """Opens all details on a page."""
    page.locator("#language").focus()
    keys("Tab", "Tab")(page)


def move_corner(page: Page) -> None:
    """Moves a corner of the drawn areas with the arrow keys."""
    page.get_by_role("button", name="Draw the areas").click()
    page.locator(".handles [tabindex]").first.focus()
    keys("ArrowRight", "ArrowRight", "ArrowDown")(page)


def pages(past: str) -> dict[str, Act]:
    """Every page by its path, and the action on it."""
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


def measured(address: str, act: Act) -> PageMeasurement:
    """One page, opened by a new visitor each time."""
    found: list[PageMeasurement] = []
    for _ in range(LOADS):
        with browsing(quiet=False) as open_page:
            page = open_page("about:blank")
            page.add_init_script(WATCH)
            page.goto(address, wait_until="load")
            while not page.evaluate(PAINTED):  # not wait_for_function, which needs eval, forbidden by our policy
                page.wait_for_timeout(20)
            weight, paint = page.evaluate(FIGURES)
            act(page)
            page.wait_for_timeout(300)
            found.append(PageMeasurement(weight, paint / 1000, page.evaluate("window.slowest")))
    return PageMeasurement(
        *(best(part) for best, part in zip((max, min, min), zip(*map(astuple, found), strict=True), strict=True))
    )


def table(running_app: RunningApp) -> Iterator[dict[str, object]]:
    """A row for each page of both games."""
    assert running_app.app_state.past.archive is not None
    played = (ROOT / "tests" / "golden" / "krone_amigo.txt").read_text(encoding="utf-8")
    past = f"history/{game_repository.import_record(running_app.app_state.past.archive, played)}"
    everything = pages(past)
    for game in ("krone", "knatsch", "camera"):
        if game == "camera":
            running_app.app_state.cameras.watch("demo")
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
            yield {
                "page": name,
                "kB": round(one.weight / 1000),
                "first paint, s": f"{one.paint:.2f}",
                "answer, ms": f"{one.interaction:.0f}" if one.interaction else "< 16",
                "met": "yes" if one.met else "no",
            }


def main(keep: bool = False) -> int:
    """Status 1 if a limit is exceeded."""
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as running_app:
        rows = list(table(running_app))
    figures.report("pages", TITLE, ABOUT, rows, figures.machine(), keep=keep)
    return int(any(row["met"] == "no" for row in rows))


if __name__ == "__main__":
    run(main)
