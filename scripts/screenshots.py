#!/usr/bin/env python
"""Takes the pictures that README.md and the guides show, of the pages as they are now.

    python -m scripts.screenshots [--only NAME …] [--to docs/screenshots]

`demo` is a moving picture of the bundled demo; the others are scenes of `python -m scripts.looks`.
"""

from __future__ import annotations

import io
import math
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Page

from scripts.looks_parts.scenes import scenes
from tests.kit.browser import browsing
from tests.kit.options import run
from tests.kit.served_app import served_app


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: what of, how large, by day or by night, and the text without which it is not complete."""

    name: str
    scene: str
    width: int
    height: int
    scheme: str = "light"
    ready: str = ""


SHOTS = (
    Shot("table-phone", "table", 360, 780),
    Shot("table-wide-dark", "table", 1600, 1000, "dark"),
    Shot("new-game", "new", 820, 900),
    Shot("player", "me", 360, 780),
    Shot("overlay", "overlay", 1600, 900),
    Shot("history", "past", 1200, 1000),
    Shot("look-back", "review", 1280, 900),
    Shot("cards", "cards", 820, 1000),
    Shot("camera", "camera", 1200, 900, ready="The camera sees the table."),
    Shot("knatsch", "knatsch", 1280, 1000),
)


def main(only: tuple[str, ...] = (), to: Path = Path("docs/screenshots")) -> int:
    """Take what was asked for."""
    to.mkdir(parents=True, exist_ok=True)
    wanted = [shot for shot in SHOTS if not only or shot.name in only]
    if not only or "demo" in only:
        _moving(to / "demo.webp")
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder), players=()) as running_app:
        for together in scenes(running_app) if wanted else ():
            for shot, scene in ((shot, scene) for scene in together for shot in wanted if shot.scene == scene.name):
                with browsing(quiet=False, color_scheme=shot.scheme, reduced_motion="reduce") as open_page:
                    page = open_page("about:blank")
                    page.set_viewport_size({"width": shot.width, "height": shot.height})
                    page.goto(running_app.server.address + scene.path)
                    scene.act(page)
                    if shot.ready:
                        page.get_by_text(shot.ready).wait_for()
                    page.evaluate("scrollTo(0, 0)")
                    page.wait_for_timeout(500)  # styles, pictures and odds that come a moment later
                    _keep(page, to / f"{shot.name}.webp")
    return 0


def _moving(path: Path, most: int = 45) -> None:
    """The whole demo as a looping WebP of at most so many pictures, however slowly this computer plays it."""
    pictures: list[Image.Image] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        served_app(Path(folder), source="demo", players=()) as running_app,
        browsing(quiet=False, reduced_motion="reduce") as open_page,
    ):
        page = open_page(running_app.server.address)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator("#turn-title").wait_for()
        over = page.get_by_text("That was the demo.", exact=True)
        while over.count() == 0:
            pictures.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize((960, 600)))
            page.wait_for_timeout(700)
    first, *others = pictures[:: math.ceil(len(pictures) / most)]
    first.save(path, save_all=True, append_images=others, duration=900, loop=0, quality=60, method=4)
    print(f"{path}: {1 + len(others)} pictures, {path.stat().st_size // 1000} kB")


def _keep(page: Page, path: Path) -> None:
    """As WebP, a third of a PNG."""
    image = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    cv2.imwrite(str(path), np.asarray(image), [cv2.IMWRITE_WEBP_QUALITY, 90])
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    run(main)
