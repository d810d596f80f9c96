"""Takes the screenshots in the documents.

    python -m scripts.screenshots [--only NAME …]

`docs/screenshots` has the images of the README; `docs/evening` an evening from the first name to the crown, on a phone,
a laptop and a desktop. `demo` is an animation of the bundled demo; the others are scenes of
`python -m scripts.check_layout`.
"""

from __future__ import annotations

import io
import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page

from scripts.check_layout_parts.served_pages import served_pages
from tests.kit.browser import SCREENS, SIZES, browsing
from tests.kit.fake_camera import FAKE_DEVICE, fake_camera
from tests.kit.options import run
from tests.kit.served_app import served_app

README, EVENING = Path("docs/screenshots"), Path("docs/evening")
CAMERA_READY = "The camera sees the table."
COLOURS, MAX_BYTES = 40, 60_000  # of a screenshot of the evening: forty colours are enough for pages


@dataclass(frozen=True, slots=True)
class Screenshot:
    """One screenshot: file, scene, size, day or night, and the text that must be visible before it is taken."""

    path: Path
    scene: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    ready: str = ""


SHOTS = [
    Screenshot(README / "table-phone.webp", "table", 360, 780),
    Screenshot(README / "table-wide-dark.webp", "table", 1600, 1000, "dark"),
    Screenshot(README / "new-game.webp", "new", 820, 900),
    Screenshot(README / "player.webp", "me", 360, 780),
    Screenshot(README / "overlay.webp", "overlay", 1600, 900),
    Screenshot(README / "history.webp", "past", 1200, 1000),
    Screenshot(README / "look-back.webp", "review", 1280, 900),
    Screenshot(README / "cards.webp", "cards", 820, 1000),
    Screenshot(README / "camera.webp", "camera", 1200, 900, ready=CAMERA_READY),
    Screenshot(README / "knatsch.webp", "knatsch", 1280, 1000),
    Screenshot(README / "club.webp", "club", 1200, 1000),
]
SHOTS += [
    Screenshot(EVENING / f"{scene}-{width}.png", scene, width, height, ready=CAMERA_READY if scene == "camera" else "")
    for scene in (
        "new-known", "camera", "table-full", "me-full", "table-correct", "invite-network", "join", "ending", "players",
        "player", "review", "training", "training-answered", "what-if", "television", "television-camera",
        "overlay-chances",
    )
    for width, height in SCREENS.items()
]  # fmt: skip

# What is best seen on one screen.
ON_PHONES = "question moment correct-breaks fix-die knatsch-ask rules-dialog yatzy yatzy-choose"
ON_LAPTOPS = "past-judged camera-dice television-ending final-round yatzy-choose"
SHOTS += [
    Screenshot(EVENING / f"{scene}-{width}.png", scene, width, height)
    for width, height, some in ((390, 844, ON_PHONES), (844, 390, "table-full"), (1366, 768, ON_LAPTOPS))
    for scene in some.split()
]
PHONE_FRAME = EVENING / "phone-frame-390.png"


def main(only: tuple[str, ...] = ()) -> None:
    """Takes the screenshots.

    Args:
        only: Names of files without suffix; by default all.
    """
    if not only or "demo" in only:
        _moving(README / "demo.webp")
    if not only or PHONE_FRAME.stem in only:
        _phone_frame(PHONE_FRAME)
    wanted = [shot for shot in SHOTS if not only or shot.path.stem in only]
    left = {shot.scene for shot in wanted}
    for scene, address in served_pages() if left else ():
        for shot in (shot for shot in wanted if shot.scene == scene.name):
            screen = {"width": shot.width, "height": shot.height}
            phone = {"has_touch": shot.width < 900, "is_mobile": shot.width < 900}
            with browsing(
                quiet=False, color_scheme=shot.scheme, reduced_motion="reduce", viewport=screen, **phone
            ) as open_page:
                page = open_page("about:blank")
                page.goto(address + scene.path)
                scene.act(page)
                if shot.ready:
                    page.get_by_text(shot.ready).wait_for()
                page.evaluate("scrollTo(0, 0)")
                page.wait_for_timeout(800)  # styles, images and odds arrive a moment later
                _save(page, shot.path)
        left.discard(scene.name)
        if not left:
            break


def _moving(path: Path, most: int = 45) -> None:
    """The whole demo as a looping WebP of at most this many frames, however slow the computer is."""
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


def _phone_frame(path: Path) -> None:
    """The screen of a phone that is the camera, with what the computer has found in its picture."""
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder), source="phone") as running_app:
        flags = (*FAKE_DEVICE, f"--use-file-for-fake-video-capture={fake_camera(Path(folder))}")
        with browsing(*flags, quiet=False, **SIZES["phone"]) as open_page:
            page = open_page(running_app.server.address + "phone")
            page.get_by_role("button", name="Start camera").click()
            page.locator(".viewfinder .die-seen").first.wait_for()
            page.wait_for_timeout(3000)
            _save(page, path)


def _save(page: Page, path: Path) -> None:
    """Saves as WebP, a third of the size of a PNG; or as PNG with few colours, cropped at the bottom to 60 kB."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if path.suffix == ".webp":
        picture.save(path, quality=90)
    else:
        while True:
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
            if path.stat().st_size <= MAX_BYTES:
                break
            picture = picture.crop((0, 0, picture.width, picture.height * 9 // 10))
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    run(main)
