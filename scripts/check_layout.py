#!/usr/bin/env python
"""Opens every page at five widths, in five languages, by day and by night, and reports visual defects.

    python -m scripts.check_layout [--only NAME …] [--languages de ja] [--sheets FOLDER] [--axe] [--keep]

It measures: a page wider than its window, truncated or overlapping text, words broken in two, text under 12 pixels,
targets under 24, untranslated sentences, console errors, and with --axe violations found by axe-core (mainly contrast;
English, narrow and wide, day and night). With --sheets it photographs every page for human review, all widths by day
and by night side by side, in changing languages. Status 1 if anything was found.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page

from companion.i18n.languages import LANGUAGES
from engine.krone.cards import CARDS
from engine.krone.names import called as named
from scripts.check_layout_parts.served_pages import served_pages
from tests.kit import figures
from tests.kit.axe import objections
from tests.kit.browser import browsing
from tests.kit.options import run
from tests.kit.scenes import PLAYERS, PageScene

WIDTHS = {360: 740, 768: 1024, 1280: 800, 1440: 900, 1920: 1080}
ON_SHEETS = dict(zip(WIDTHS, (270, 330, 450, 470, 490), strict=True))  # width of each image on a sheet
MEASURE = (Path(__file__).parent / "check_layout_parts" / "findings.js").read_text(encoding="utf-8")
TITLE = "Layout of the pages"
ABOUT = """
Does every page look right on every screen?

Every page at 360, 768, 1280, 1440 and 1920 pixels, in five languages, in the light and the dark theme. It finds
pages wider than the window, text that is cut off or overlaps, broken words, text under 12 px, targets under 24 px,
sentences left in English, and complaints of the browser and of axe-core. Limits of this test: Chromium only; it
cannot judge beauty or wording.
"""
# Words that are the same in every language: names, figures, addresses, the guests' word, commands, cards with the same
# name.
_CARDS = [str(named(card, "en")).capitalize() for card in CARDS]
_CARDS += ["Knatsch", "Um Krone und Kragen", "Camera", "Overlay"]
_SAME_IN_ALL = re.compile(r"[^a-z]*$|[Cc]ourtside.*|https?://.*|/\S*|(?:[b-z][aeiou]){4}$|[A-Z0-9 +-]*$", re.DOTALL)
# Players and tables of the past games.
_RECORDED = ("Anna", "Anne", "Carl", "Fay", "Gil", "Hanna", "Herman", "Marc", "Window", "Cellar")
# Words that these languages share with English.
_SHARED_WORDS = {(language, word) for language in ("de", "nl") for word in ("Demo", "Streaming")}
_SHARED_WORDS |= {("de", "Chance"), ("fi", "Demo"), ("nl", "Club"), ("nl", "Rating")}


def main(
    only: tuple[str, ...] = (),
    languages: tuple[str, ...] = tuple(LANGUAGES),
    sheets: Path | None = None,
    axe: bool = False,
    keep: bool = False,
) -> int:
    """Opens all requested pages."""
    counts: Counter[str] = Counter()
    found: dict[str, list[str]] = {}
    for scene, address in served_pages():
        if only and scene.name not in only:
            continue
        for where, what in _defects(scene, address, counts, languages, sheets, axe):
            found.setdefault(f"{scene.name}: {what}", []).append(where)
        print(f"{scene.name}: {sum(name.startswith(f'{scene.name}:') for name in found)} found", file=sys.stderr)
    lines = [f"- {what} ({len(where)} times, first {where[0]})" for what, where in found.items()]
    seen = f"{counts['views']} views of {counts['pages']} pages, {counts['axe']} of them seen by axe-core."
    figures.report("looks", TITLE, ABOUT, seen, "\n".join(lines) or "Nothing was found.", keep=keep)
    return int(bool(found))


def _defects(
    scene: PageScene,
    server_address: str,
    counts: Counter[str],
    languages: Sequence[str],
    sheets: Path | None,
    axe: bool,
) -> list[tuple[str, str]]:
    """The places of defects, and a description of each."""
    found: list[tuple[str, str]] = []
    english: set[str] = set()
    shots: dict[int, np.ndarray] = {}
    for place, language in enumerate(languages):
        messages: list[str] = []
        with browsing(quiet=False, bypass_csp=True, locale=language, reduced_motion="reduce") as open_page:
            page = open_page("about:blank")
            _collect_console(page, messages)
            page.goto(server_address + scene.path)
            page.wait_for_load_state("load")
            scene.act(page)
            for number, (width, height) in enumerate(WIDTHS.items()):
                page.set_viewport_size({"width": width, "height": height})
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    where = f"{language} {width} {scheme}"
                    measured = page.evaluate(MEASURE)
                    counts["views"] += 1
                    found += [(where, what) for what in measured["found"]]
                    if language == "en":
                        english |= set(measured["words"])
                    else:
                        found += [
                            (where, f"still English: {word}")
                            for word in measured["words"]
                            if _untranslated(word, language, english)
                        ]
                    if axe and language == "en" and width in (360, 1280):
                        found += [(where, what) for what in _violations(page)]
                        counts["axe"] += 1
                    shot = 2 * number + (scheme == "dark")
                    if sheets and place == shot % len(languages):
                        shots[shot] = _photograph(page)
        found += [
            (language, f"on the console: {what[:120]}")
            for what in messages
            if "404" not in what or scene.name != "failed"
        ]
    counts["pages"] += 1
    if sheets:
        sheets.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(sheets / f"{scene.name}.png"), _sheet([shot for _, shot in sorted(shots.items())]))
    return found


def _collect_console(page: Page, messages: list[str]) -> None:
    """Collects console messages."""
    page.on("console", lambda message: messages.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: messages.append(str(error)))


def _untranslated(word: str, language: str, english: set[str]) -> bool:
    """Whether this word should have been translated."""
    own = any(name in word for name in (*PLAYERS, *_RECORDED, *_CARDS))
    return word in english and not _SAME_IN_ALL.match(word) and not own and (language, word) not in _SHARED_WORDS


def _violations(page: Page) -> list[str]:
    return [f"axe {one['id']}: {node['html'][:100]}" for one in objections(page) for node in one["nodes"][:3]]


def _photograph(page: Page) -> np.ndarray:
    data = np.frombuffer(page.screenshot(full_page=True), np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert image is not None
    return image[: 2 * image.shape[1] + 300]


def _framed(shot: np.ndarray, height: int) -> np.ndarray:
    """An image on grey, as high as its row."""
    below = height - shot.shape[0] + 8
    return np.asarray(cv2.copyMakeBorder(shot, 0, below, 0, 8, cv2.BORDER_CONSTANT, value=(128, 128, 128)))


def _sheet(shots: list[np.ndarray]) -> np.ndarray:
    """Day above night, narrow beside wide."""
    rows = [[_small(shot) for shot in shots[first::2]] for first in (0, 1)]
    height = max(shot.shape[0] for row in rows for shot in row)
    return np.vstack([np.hstack([_framed(shot, height) for shot in row]) for row in rows])


def _small(shot: np.ndarray) -> np.ndarray:
    # A page that is too wide is too wide in its image, too.
    at = min(WIDTHS, key=lambda width: abs(width - shot.shape[1]))
    scale = ON_SHEETS[at] / shot.shape[1]
    return cv2.resize(shot, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


if __name__ == "__main__":
    run(main)
