"""Stored detections of real clips are read without pictures, and the clips themselves if they are available."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest

from tests.referee.detected_table import NeverAsked
from vision.dice.detections import Detections
from vision.pipeline import Pipeline, readings
from vision.table.layout import WholePicture
from vision.tracking.motion import Activity

CLIPS = Path(__file__).parents[1] / "clips"
NEAR = 2  # frames that the windows may be off: people looked when the dice came to rest
# Frames in which the table is bare, as people see it: that it is empty may be read there, and need not be.
BARE = {"test12koldra.mp4": range(33), "tirada_1.mp4": range(144, 1000)}


def recorded(frames: list[list[tuple[list[float], list[float], float]]]) -> list[Detections]:
    return [
        Detections(*(np.array(column, np.float32) for column in zip(*rows, strict=True))) if rows else Detections.none()
        for rows in frames
    ]


def settled_values(clip: dict, passes: list[Detections], rate: float) -> list[tuple[int, tuple[int, ...]]]:
    """(frame, values) of every newly settled reading."""
    pipeline = Pipeline(NeverAsked(), WholePicture())
    found: list[tuple[int, tuple[int, ...]]] = []
    last: object = None
    for number, detections in enumerate(passes):
        pipeline.see(detections, number / rate)
        reading = pipeline.conclude(Activity(), tuple(clip["size"]), number, number / rate)
        fact = (round(reading.rolls), reading.active, reading.kept)
        if reading.settled and fact != last:
            found.append((number, tuple(sorted(reading.active + reading.kept))))
            last = fact
    return found


@pytest.mark.parametrize("path", sorted(CLIPS.glob("*.json")), ids=lambda path: path.stem)
def test_recorded_detections_settle_in_their_windows_and_nowhere_else(path: Path) -> None:
    clip = json.loads(path.read_text())
    found = settled_values(clip, recorded(clip["frames"]), clip["rate"])
    assert [values for _, values in found] == [tuple(values) for _, _, values in clip["settled"]]
    for (frame, _), (first, last, _) in zip(found, clip["settled"], strict=True):
        assert first - NEAR <= frame <= last


@pytest.mark.parametrize("path", sorted(CLIPS.glob("*.json")), ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(3))
def test_recorded_detections_with_missing_passes_are_read_correctly(path: Path, seed: int) -> None:
    clip = json.loads(path.read_text())
    chance = np.random.default_rng(seed)
    thinned = [[row for row in rows if chance.uniform() > 0.05] for rows in clip["frames"]]
    found = settled_values(clip, recorded(thinned), clip["rate"])
    windows = clip["settled"]
    for frame, values in found:
        assert any(first - NEAR <= frame <= last and values == tuple(truth) for first, last, truth in windows), (
            frame,
            values,
        )


@pytest.mark.photos
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "tirada_4.mp4",
        *(
            pytest.param(f"{name}.mp4", marks=pytest.mark.stress)  # the detections of one of them are stored, see above
            for name in ("shaken_two_dice", "test11ess", "test12koldra", "tirada_1")
        ),
    ],
)
def test_real_clips_are_read_in_their_windows_and_never_while_dice_move(name: str) -> None:
    from companion.resources import resource
    from vision.dice.detector import Detector
    from vision.sources.camera import frames

    folder = Path(os.environ["COURTSIDE_PHOTOS"], "clips")
    expected: list[tuple[int, int, tuple[int, ...]]] = []
    with (folder / "truth.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            values = tuple(sorted(int(value) for value in row["top_values"].split()))
            if row["video"] == name:
                expected.append((int(row["first_frame"]), int(row["last_frame"]), values))
    read = readings(frames(str(folder / name)), Pipeline(Detector(resource("models"))))
    found = [seen for seen in read if seen.active or seen.kept or seen.frame not in BARE.get(name, ())]
    assert [tuple(sorted(seen.active + seen.kept)) for seen in found] == [values for _, _, values in expected]
    for seen, (first, last, _) in zip(found, expected, strict=True):
        assert first - NEAR <= seen.frame <= last
