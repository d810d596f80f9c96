"""Correcting a picture of own dice in Chromium: picture and values belong together, at usual sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from companion.camera.own_dice import OwnDice
from companion.camera.worker import Watcher
from companion.server.bootstrap import RunningApp
from tests.kit.browser import SIZES, browsing
from tests.vision.drawn import laid_dice
from vision.types import Motion, Reading, SeenDie

pytestmark = pytest.mark.browser
FRAME = 41


def camera(jpeg: bytes, dice: tuple[SeenDie, ...]) -> Watcher:
    """A camera that has seen one picture."""
    watcher = Watcher("test", path="none", model=None, see=print, ended=print, announce=print)
    watcher.recent.add(jpeg, Reading(dice, True, 1, Motion.STABLE, FRAME, 2.0))
    return watcher


def die(track: int, x: float, y: float, value: int) -> SeenDie:
    sure = [0.95 if face == value else 0.01 for face in range(1, 7)]
    return SeenDie(track, (x - 40, y - 40, x + 40, y + 40), (sure[0], *sure[1:]), False)  # type: ignore[arg-type]


@pytest.fixture
def home(running_app: RunningApp, tmp_path: Path) -> Iterator[RunningApp]:
    """A camera that has seen six dice, 1 to 6."""
    cameras = running_app.app_state.cameras
    cameras.own_dice = OwnDice(tmp_path)
    yield running_app
    cameras.watcher = None


def test_picture_boxes_and_values_are_of_one_moment_though_the_camera_goes_on(home: RunningApp) -> None:
    cameras = home.app_state.cameras
    image, laid = laid_dice()
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    dice = tuple(die(track, x, y, value) for track, ((x, y), value) in enumerate(laid.items()))
    later = camera(cv2.imencode(".jpg", np.full(image.shape, 90, np.uint8))[1].tobytes(), (die(0, 60, 60, 2),))

    def go_on(route: Route) -> None:
        """Between the page and its picture, another camera takes over and reaches the same frame number."""
        cameras.watcher = later
        route.continue_()

    with browsing(**SIZES["phone"]) as open_page:
        page = open_page("about:blank")
        page.route("**/camera/dice/*.jpg", go_on)
        for context in SIZES.values():
            cameras.watcher = camera(jpeg, dice)
            page.set_viewport_size(context["viewport"])
            with page.expect_response("**/camera/dice/*.jpg") as answer:
                page.goto(home.server.address + "camera/dice")
            assert answer.value.body() == jpeg
            boxes_lie_on_the_picture(page, dice)
            values = page.locator(".own-values select").evaluate_all("fields => fields.map((field) => field.value)")
            assert values == [str(one.value) for one in dice]
            page.get_by_role("button", name="Save picture").click()
            expect(page.get_by_text("1 picture saved.", exact=True)).to_be_visible()
        (saved,) = (cameras.own_dice.folder / "images").glob("*.jpg")
        assert saved.read_bytes() == jpeg


def boxes_lie_on_the_picture(page: Page, dice: tuple[SeenDie, ...]) -> None:
    """Each box surrounds its die on the screen within a pixel."""
    picture = page.locator(".own-dice img").bounding_box()
    assert picture
    assert picture["x"] + picture["width"] <= page.evaluate("innerWidth")
    scale = picture["width"] / page.locator(".own-dice img").evaluate("picture => picture.naturalWidth")
    boxes = page.locator(".own-dice rect")
    assert boxes.count() == len(dice)
    for box, one in zip(boxes.all(), dice, strict=True):
        shown = box.evaluate("box => [box.getBoundingClientRect()].map(({ left, top }) => [left, top])[0]")
        left, top = picture["x"] + scale * one.xyxy[0], picture["y"] + scale * one.xyxy[1]
        assert abs(shown[0] - left) < 2
        assert abs(shown[1] - top) < 2
