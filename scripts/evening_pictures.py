#!/usr/bin/env python
"""Takes the pictures in docs/evening: an evening from the first name to the crown, on a phone, a laptop and a desktop.

    python -m scripts.evening_pictures [--only NAME …] [--to docs/evening]

The scenes are those of `python -m scripts.looks`; forty colours are enough for pages, and keep a picture under 60 kB.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image

from scripts.looks_parts.scenes import scenes
from tests.kit.browser import browsing
from tests.kit.options import run
from tests.kit.served_app import served_app

SHOWN = (
    "new-known", "camera", "table-full", "me-full", "table-correct", "invite-network", "join", "ending", "players",
    "player", "review", "training", "training-told", "what-if", "television", "television-camera", "overlay-chances",
)  # fmt: skip
SIZES = {390: 844, 1366: 768, 1920: 1080}
_COLOURS, _MOST_BYTES = 40, 60_000


def main(only: tuple[str, ...] = tuple(SHOWN), to: Path = Path("docs/evening")) -> int:
    """Take what was asked for."""
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder), players=()) as running_app:
        for together in scenes(running_app):
            for scene in (scene for scene in together if scene.name in only):
                for width, height in SIZES.items():
                    with browsing(quiet=False, reduced_motion="reduce") as open_page:
                        page = open_page("about:blank")
                        page.set_viewport_size({"width": width, "height": height})
                        page.goto(running_app.server.address + scene.path)
                        scene.act(page)
                        page.evaluate("scrollTo(0, 0)")
                        page.wait_for_timeout(800)  # styles and odds that come a moment later
                        _keep(page.screenshot(), to / f"{scene.name}-{width}.png")
    return 0


def _keep(png: bytes, path: Path) -> None:
    """With few colours; what does not fit into 60 kB is cut off below."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    while True:
        picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= _MOST_BYTES:
            break
        picture = picture.crop((0, 0, picture.width, picture.height * 9 // 10))
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    run(main)
