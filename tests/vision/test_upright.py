"""Upside-down pictures: dice nearer to the camera look larger, and in an upright picture they are lower."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.camera.upside_down import UpsideDownDetector
from companion.camera.worker import CameraState, Watcher
from tests.kit.camera import Camera
from vision.messages import UPSIDE_DOWN
from vision.process.protocol import SeenFrame
from vision.types import Box, Motion, Reading, SeenDie

DIE_MM = 16.0


def tables(slant: float, turned: bool, seed: int) -> Iterator[list[Box]]:
    """Thirty rolls of five dice seen this many degrees from the vertical, with box errors of a twentieth. turned: the
    picture is upside down."""
    chance, camera = np.random.default_rng(seed), Camera(slant=slant)
    for _ in range(30):
        boxes = []
        for x, y in chance.uniform(-100, 100, (5, 2)):
            corners = [
                (x + i * DIE_MM / 2, y + j * DIE_MM / 2, k * DIE_MM) for i in (-1, 1) for j in (-1, 1) for k in (0, 1)
            ]
            seen = np.array([camera.project(np.array(corner)) for corner in corners])
            middle, half = seen.mean(axis=0), np.ptp(seen, axis=0) / 2 * chance.normal(1, 0.05)
            (left, top), (right, low) = middle - half, middle + half
            boxes.append((640 - right, 480 - low, 640 - left, 480 - top) if turned else (left, top, right, low))
        yield boxes


def noticed(slant: float, turned: bool, seed: int) -> bool:
    upright = UpsideDownDetector()
    for boxes in tables(slant, turned, seed):
        upright.add_dice(boxes, 480)
    return upright.looks_upside_down


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("slant", [0, 10, 30, 45, 60])
def test_an_upside_down_camera_with_an_oblique_view_is_noticed(slant: float, seed: int) -> None:
    assert not noticed(slant, False, seed)
    if slant >= 30:
        assert noticed(slant, True, seed)
    if not slant:
        assert not noticed(slant, True, seed)


def test_one_table_proves_nothing() -> None:
    upright = UpsideDownDetector()
    for boxes in list(tables(60, True, 1))[:2]:
        upright.add_dice(boxes, 480)
        upright.add_dice(boxes[:1], 480)
        upright.add_dice((), 480)
    assert not upright.looks_upside_down


def test_a_picture_that_was_turned_round_is_accepted_in_the_end() -> None:
    upright = UpsideDownDetector()
    for turned in (True, False):
        for seed in range(4):
            for boxes in tables(45, turned, seed):
                upright.add_dice(boxes, 480)
    assert not upright.looks_upside_down


@pytest.mark.photos
def test_no_real_camera_is_falsely_reported_and_an_upside_down_desk_is_noticed() -> None:
    """Each source with its photos in ten orders; the limits were tuned on these."""
    sets: dict[str, list[np.ndarray]] = {}
    for file in sorted(Path(os.environ["COURTSIDE_PHOTOS"]).glob("*/labels/*.txt")):
        if file.parts[-3] in ("dev", "train") and file.stat().st_size:
            sets.setdefault(file.stem.split("__")[0], []).append(np.loadtxt(file, ndmin=2)[:, 1:5])
    assert len(sets) > 8
    noticed_after = []
    for name, photos in sets.items():
        for order in (np.random.default_rng(seed).permutation(len(photos))[:150] for seed in range(10)):
            as_it_is, turned = UpsideDownDetector(), UpsideDownDetector()
            counts = [place for place, number in enumerate(order, 1) if notices(as_it_is, turned, photos[number])]
            assert not as_it_is.looks_upside_down, name
            noticed_after += counts[:1] if name == "desk" else []
    assert len(noticed_after) == 10
    assert np.median(noticed_after) < 15


def notices(as_it_is: UpsideDownDetector, turned: UpsideDownDetector, rows: np.ndarray) -> bool:
    """Shows a photo's dice (n, 4: centre and size, as shares of the picture) to both; returns whether the second
    reports it."""
    for upright, y in ((as_it_is, rows[:, 1]), (turned, 1 - rows[:, 1])):
        middles, halves = np.stack([rows[:, 0], y], axis=1), rows[:, 2:] / 2
        upright.add_dice([tuple(box) for box in 1000 * np.hstack([middles - halves, middles + halves])], 1000)
        assert not as_it_is.looks_upside_down
    return turned.looks_upside_down


@pytest.mark.parametrize("turned", [False, True])
def test_the_page_reports_the_orientation(turned: bool, tmp_path: Path) -> None:
    watcher = Watcher(
        "test", path="none", model=tmp_path, see=lambda _: None, ended=lambda: None, announce=lambda _: None
    )
    for roll, boxes in enumerate(tables(45, turned, 3), 1):
        dice = tuple(
            SeenDie(place, box, (0.95, *[0.01] * 5), False, rested_since=roll) for place, box in enumerate(boxes)
        )
        for frame in range(3):  # one table, seen three times
            reading = Reading(dice, True, roll, Motion.STABLE, 3 * roll + frame, roll + frame / 10)
            watcher._on_frame(SeenFrame(reading, (640, 480)))
    assert watcher.state == CameraState("looking", UPSIDE_DOWN if turned else None)
