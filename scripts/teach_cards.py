"""Teaches a drawn edition on the page “Your cards” in Chromium as a new user would, with a network camera.

The camera shows a row of cards until all of them are named, then the next. It prints taps, seconds, waiting times of
taps, and processor time of the companion; `--pictures DIR` stores a screenshot of each step.
"""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page

from tests.kit.browser import browsing
from tests.kit.card_film import KINDS, SIZE
from tests.kit.card_table import Conditions, LaidCard, photograph_cards
from tests.kit.degrade import jpeg
from tests.kit.editions import face
from tests.kit.mjpeg_server import MjpegCamera
from tests.kit.options import run
from tests.kit.served_app import served_app

ROW = 5
RATE = 5.0  # frames a second
NAMING_SECONDS, ROW_SECONDS = 3.0, 12.0  # seconds a user takes to find a name, and to place a row


def row_of(edition: int, first: int, kinds: int) -> bytes:
    """A row of cards in front of the camera, as JPEG."""
    rng = np.random.default_rng([edition, first])
    row = [
        LaidCard(KINDS[kind], face(edition, kind), (180.0 + 230 * n, 340.0), 150.0, float(rng.normal(0, 3)))
        for n, kind in enumerate(range(first, min(kinds, first + ROW)))
    ]
    picture, _ = photograph_cards(row, first, SIZE, Conditions(blur=0.5, noise=2, quality=90), ground=5)
    return jpeg(picture)


class Rows:
    """The rows of cards in front of the camera."""

    def __init__(self, rows: list[bytes]) -> None:
        self._rows = iter(rows)
        self.picture = next(self._rows)

    def next(self) -> None:
        """Places the next row."""
        self.picture = next(self._rows)


def teach(page: Page, rows: Rows, kinds: int, keep: Path | None) -> list[float]:
    """Names every visible card; returns the seconds that each tap had to wait."""
    waits: list[float] = []

    def shot(name: str) -> None:
        if keep is not None:
            _keep(page, keep / f"cards-{name}.webp")

    page.get_by_role("textbox", name="Name of the edition").fill("Our own edition")
    shot("1-edition")

    def tap(button: Locator, until: str) -> None:
        began = time.monotonic()
        button.click()
        page.locator(until).first.wait_for(timeout=120_000)
        waits.append(time.monotonic() - began)

    outlined = ".own-cards:not(:has(a.named)) a"
    tap(page.get_by_role("button", name="Start"), outlined)
    for first in range(0, kinds, ROW):
        row = KINDS[first : min(kinds, first + ROW)]
        if not first:
            shot("2-outlines")
        tap(page.locator(".own-cards a").first, ".own-names")
        for number, kind in enumerate(row):
            if first + number == 1:
                shot("3-name")
            tap(
                page.locator(f".own-names button[value='{kind}']"), f".own-cards:has(a.named:nth-of-type({number + 1}))"
            )
        if first + ROW < kinds:
            rows.next()
            tap(page.get_by_role("link", name="Next picture"), outlined)
    shot("5-all")
    return waits


def _keep(page: Page, path: Path) -> None:
    """A screenshot small enough for a document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        small = picture.convert("RGB").resize((picture.width * 3 // 5, picture.height * 3 // 5))
        small.save(path, quality=60, method=6)


def main(edition: int = 205, kinds: int = 20, pictures: Path | None = None) -> None:
    """Teaches and reports."""
    rows = [row_of(edition, first, kinds) for first in range(0, kinds, ROW)]
    before = Rows(rows)
    camera = MjpegCamera(lambda _: before.picture)
    camera.pause = 1 / RATE
    with (
        tempfile.TemporaryDirectory() as folder,
        served_app(Path(folder), source=camera.url) as app,
        browsing(quiet=False) as open_page,
    ):
        page = open_page(f"{app.server.address}camera/cards")
        began = time.monotonic(), time.process_time()
        waits = teach(page, before, kinds, pictures)
        spent, processor = time.monotonic() - began[0], time.process_time() - began[1]
        learnt = app.app_state.cameras.cards.sets.load("Our own edition")
        user = NAMING_SECONDS * len(learnt.kinds) + ROW_SECONDS * len(rows)
        print(f"{len(learnt.kinds)} kinds in {len(waits)} taps, waited for {sum(waits):.0f} s of {spent:.0f}:")
        print(f"  a tap {median(waits):.1f} s (median), {max(waits):.1f} s at most")
        print(f"  {processor:.0f} s of a processor for the page")
        total = sum(waits) + user
        print(f"  with {NAMING_SECONDS:.0f} s to find a name and {ROW_SECONDS:.0f} s to place a row {total:.0f} s")
        if pictures is not None:
            page.goto(f"{app.server.address}camera/cards/places")
            page.wait_for_timeout(1500)
            _keep(page, pictures / "cards-6-places.webp")


if __name__ == "__main__":
    run(main)
