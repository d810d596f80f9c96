"""Teaches a drawn edition to the page “Your cards” in Chromium as a new user would, with a film as the camera.

Prints how many taps and seconds it took; with `--pictures DIR` a picture of each step is kept.
"""

from __future__ import annotations

import argparse
import io
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Page

from scripts.simulation.browser import browsing
from scripts.simulation.card_games import KINDS, SIZE
from scripts.simulation.card_table import Conditions, Laid, photograph_cards
from scripts.simulation.editions import face
from scripts.simulation.served_app import served_app

ROW = 5
SECONDS = 25.0  # each row lies before the camera
RATE = 1.0  # pictures a second: a busy computer must not fall behind


def film(path: Path, edition: int, kinds: int) -> None:
    """Rows of cards, one after the other, each for a while, with an empty table between them."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, SIZE)
    rng = np.random.default_rng(edition)
    for first in range(0, kinds, ROW):
        row = [
            Laid(KINDS[kind], face(edition, kind), (180.0 + 230 * n, 340.0), 150.0, float(rng.normal(0, 3)))
            for n, kind in enumerate(range(first, min(kinds, first + ROW)))
        ]
        picture, _ = photograph_cards(row, first, SIZE, Conditions(blur=0.5, noise=2, quality=90), ground=5)
        for _ in range(round(SECONDS * RATE)):
            writer.write(picture)
    writer.release()


def teach(page: Page, kinds: int, keep: Path | None) -> int:
    """Names every card that is shown; returns the taps."""
    taps = 0

    def shot(name: str) -> None:
        if keep is not None:
            _keep(page, keep / f"cards-{name}.webp")

    page.get_by_role("textbox", name="What it is called").fill("Our own edition")
    shot("1-edition")
    page.get_by_role("button", name="Begin").click()
    taps += 1
    named = 0
    while named < kinds:
        page.locator(".own-cards a:not(.named)").first.wait_for(timeout=120_000)
        waiting = page.locator(".own-cards a").count()
        if waiting < min(ROW, kinds - named) or page.locator(".own-cards a.named").count():
            page.wait_for_timeout(500)
            continue
        if not named:
            shot("2-outlines")
        page.locator(".own-cards a").first.click()
        taps += 1
        for _ in range(waiting):
            page.wait_for_selector(".own-names")
            if named == 1:
                shot("3-name")
            page.locator(f".own-names button[value='{KINDS[named]}']").click()
            page.wait_for_load_state()
            taps += 1
            named += 1
        if named < kinds:
            if named == ROW:
                shot("4-row")
            page.get_by_role("link", name="Next picture").click()
            taps += 1
    shot("5-all")
    return taps


def _keep(page: Page, path: Path) -> None:
    """A picture small enough for a document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        small = picture.convert("RGB").resize((picture.width * 3 // 5, picture.height * 3 // 5))
        small.save(path, quality=60, method=6)


def main() -> None:
    """Teach and tell."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--edition", type=int, default=205)
    asked.add_argument("--kinds", type=int, default=20)
    asked.add_argument("--pictures", type=Path)
    wish = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.mp4"
        film(path, wish.edition, wish.kinds)
        with served_app(Path(folder), source=str(path)) as app, browsing(quiet=False) as open_page:
            page = open_page(f"{app.server.address}camera/cards")
            began = time.monotonic()
            taps = teach(page, wish.kinds, wish.pictures)
            spent = time.monotonic() - began
            learnt = app.app_state.own_cards.load("Our own edition")
            print(f"{len(learnt.kinds)} kinds in {taps} taps and {spent:.0f} s")
            if wish.pictures is not None:
                page.goto(f"{app.server.address}camera/cards/places")
                page.wait_for_timeout(1500)
                _keep(page, wish.pictures / "cards-6-places.webp")


if __name__ == "__main__":
    main()
