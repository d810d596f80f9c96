"""The time of a live frame is measured on consecutive frames."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from tests.kit.evaluation.video import WARM_UP, timed_video, videos_table
from tests.vision.squares import DICE, Squares, picture

pytestmark = pytest.mark.slow

FRAMES = 55


def test_consecutive_frames_are_timed_at_the_size_of_the_target_as_they_play(tmp_path: Path) -> None:
    clip = tmp_path / "lying.mp4"
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, (640, 480))
    for number in range(FRAMES):
        writer.write(picture(DICE, number))
    writer.release()
    detector = Squares()
    video = timed_video(detector, clip)
    assert set(detector.searched) == {(1280, 720)}
    assert len(video.milliseconds) == FRAMES - WARM_UP
    assert 0 < len(video.of_passes) < FRAMES / 2, "once the dice have settled a pass runs once a second"
    row = videos_table(detector, [clip]).splitlines()[-1]
    assert row.startswith(f"| lying | {FRAMES - WARM_UP} | ")
    assert row.count("|") == 8
