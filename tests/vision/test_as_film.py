"""A photo shown as a film: when the live reading and the still count as equal."""

from __future__ import annotations

import numpy as np

from tests.kit.evaluation.as_film import FPS, NOISE, Compared, detections_of, films_table, frames
from vision.types import Motion, Reading, SeenDie


def test_each_frame_has_slight_noise_of_its_own() -> None:
    image = np.full((60, 80, 3), 120, np.uint8)
    shown = list(frames(image, 0.2))
    assert [round(frame.seconds * FPS) for frame in shown] == [0, 1, 2, 3, 4, 5]
    noise = np.array([frame.image.astype(float) - 120 for frame in shown])
    assert abs(noise.mean()) < 0.7
    assert 0.5 * NOISE < noise.std() < 1.5 * NOISE
    assert not np.array_equal(shown[0].image, shown[1].image)


def test_a_reading_is_compared_by_places_and_values() -> None:
    chances = (0.0, 0.0, 0.9, 0.1, 0.0, 0.0)
    die = SeenDie(1, (10, 20, 30, 40), chances, kept=False)
    seen = detections_of(Reading((die,), True, 1.0, Motion.STABLE, 0, 0.5))
    assert seen.faces.tolist() == [3]
    assert seen.xyxy.tolist() == [[10, 20, 30, 40]]
    assert len(detections_of(Reading((), True, 1.0, Motion.EMPTY, 0, 0.5))) == 0


def test_the_table_counts_dice_and_photos_read_equally() -> None:
    lines = films_table([Compared("a", "values", 4, 5, 1, 0), Compared("b", "seen", 2, 2, 0, 0)]).splitlines()
    assert lines[2].startswith("| values | 1 | 80.0 %")
    assert lines[-1].startswith("| all | 2 | 85.7 %")
    assert "| 50.0 %" in lines[-1]
