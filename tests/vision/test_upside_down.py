"""A camera mounted upside down: its pictures are rotated, and the areas drawn in them too."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import courtside
from companion.resources import resource
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from tests.kit.mjpeg_server import numbered_jpeg
from tests.vision.drawn import laid_dice
from vision.sources.camera import frames
from vision.sources.jpeg import decode
from vision.table.layout import DrawnAreas
from vision.types import Frame, Image

AREAS = DrawnAreas(((0.1, 0.1), (0.9, 0.1), (0.5, 0.6)), ((0.1, 0.7), (0.9, 0.7), (0.5, 0.9)))


def test_frames_are_turned_by_half_a_turn_and_nothing_else_about_them_changes(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(numbered_jpeg(1))
    pairs = zip(frames(str(tmp_path)), frames(str(tmp_path), upside_down=True), strict=True)
    for frame, turned in pairs:
        assert isinstance(frame, Frame)
        assert isinstance(turned, Frame)
        np.testing.assert_array_equal(turned.image, frame.image[::-1, ::-1])
        assert (turned.seconds, turned.number, turned.sent) == (frame.seconds, frame.number, frame.sent)


def test_drawn_areas_cover_the_same_places_after_a_turn() -> None:
    box, size = (200.0, 650.0, 260.0, 710.0), (1000, 1000)
    turned_box = (740.0, 290.0, 800.0, 350.0)
    assert AREAS.place(box, size) == AREAS.turned().place(turned_box, size)
    np.testing.assert_allclose(AREAS.turned().turned().rolling, AREAS.rolling)


@pytest.mark.slow
def test_the_page_turns_the_picture_round_and_back(tmp_path: Path) -> None:
    folder = tmp_path / "stills"
    folder.mkdir()
    image, _ = laid_dice()
    image[:200] = 0
    cv2.imwrite(str(folder / "1.png"), image)
    app_state = AppState()
    app_state.cameras.model, app_state.cameras.areas = resource("models"), AREAS
    app_state.cameras.watch(str(folder))
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1, hosts=None)).test_client()
    try:
        for shown in (image[::-1, ::-1], image):
            form = re.search(r'name="csrf" value="([^"]+)"', client.get("/camera").text)
            assert form
            assert client.post("/camera/turn", data={"csrf": form[1]}).status_code == 303
            assert cv2.norm(newest(app_state), np.ascontiguousarray(shown), cv2.NORM_L1) < 8 * shown.size
            assert app_state.cameras.areas is not None
            assert (app_state.cameras.areas.rolling[0][1] > 0.5) == (shown is not image)
    finally:
        assert app_state.cameras.watcher is not None
        app_state.cameras.watcher.close()


def newest(app_state: AppState) -> Image:
    """The first image that the page shows."""
    assert app_state.cameras.watcher is not None
    for _ in range(600):
        shown = app_state.cameras.watcher.page_image
        if shown is not None:
            return decode(shown.jpeg)
        time.sleep(0.1)
    raise AssertionError("the camera gave no picture")


@pytest.mark.parametrize("what", [["--readings"], ["--players", "Anna,Bert"]])
def test_watch_turns_the_pictures_on_request(what: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def given(source: str, *, upside_down: bool = False) -> Iterator[Frame]:
        asked.append(upside_down)
        yield from ()

    for module in ("commands.print_readings", "commands.watch_game"):
        monkeypatch.setattr(f"companion.{module}.frames", given)
    for option in ([], ["--upside-down"]):
        assert CliRunner().invoke(courtside, ["watch", "demo", *what, *option]).exit_code == 0
    assert asked == [False, True]
