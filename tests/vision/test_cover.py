"""Where hands are and were."""

from __future__ import annotations

import pytest

from vision.tracking.cover import Cover

DIE = (179.0, 332.0, 226.0, 378.0)


@pytest.mark.parametrize("frame", [47, 50, 53, 1203])
def test_a_hand_three_frames_ago_was_there_shortly_before_whatever_the_clock_says(frame: int) -> None:
    """Bug: at twelve frames a second, rounding moved a hand just outside the window, and a die put down counted as
    rolled."""
    cover = Cover()
    cover.step([(72.0, 336.0, 312.0, 384.0)], (640, 480), frame / 12)
    for later in range(1, 5):
        cover.step([], (640, 480), (frame + later) / 12)
        assert cover.near(DIE, 0.5, (frame + later) / 12) is (later <= 3)
