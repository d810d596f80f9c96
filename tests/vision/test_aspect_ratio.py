"""Squeezed pictures are read in their true proportions."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.plain_dice import draw_die
from tests.vision.drawn import laid_dice, read_off, table
from vision.dice.aspect_ratio import MAX_STRETCH, NARROWEST, WIDEST, stretch, stretched
from vision.dice.detector import Detector


@pytest.mark.slow
@pytest.mark.parametrize(("wide", "high"), [(0.5, 1.0), (9 / 16, 1.0), (1.0, 9 / 16), (1.0, 0.5)])
def test_dice_of_a_squeezed_still_are_read_and_placed_where_they_are_seen(
    detector: Detector, wide: float, high: float
) -> None:
    image, dice = laid_dice()
    seen = detector.detect(cv2.resize(image, None, fx=wide, fy=high, interpolation=cv2.INTER_AREA), thorough=True)
    assert len(seen) == 6
    there = {(round(x * wide), round(y * high)): face for (x, y), face in dice.items()}
    assert read_off(seen, there) == there
    assert seen.xyxy[:, 2].max() <= image.shape[1] * wide + 1


def test_two_touching_dice_seen_as_one_do_not_have_a_picture_in_its_true_proportions_stretched(
    detector: Detector, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[float, float]] = []

    def spied(image: np.ndarray, by: tuple[float, float]) -> np.ndarray:
        made.append(by)
        return stretched(image, by)

    monkeypatch.setattr("vision.dice.detector.stretched", spied)
    image = table()
    draw_die(image, 400, 300, 60, 4)
    draw_die(image, 462, 300, 60, 2)
    assert sorted(detector.detect(image, thorough=True).faces) == [2, 4]
    assert not made


@given(shape=st.floats(0.4, 2.5), sides=st.lists(st.floats(20, 90), min_size=1, max_size=12), score=st.floats(0.25, 1))
def test_boxes_all_of_one_shape_are_made_square_within_bounds_and_ordinary_ones_left(
    shape: float, sides: list[float], score: float
) -> None:
    high = np.array(sides, np.float32)
    boxes = np.stack([0 * high, 0 * high, high * shape, high], axis=1).astype(np.float32)
    wider, higher = stretch(boxes, np.full(len(boxes), score, np.float32))
    assert 1.0 in (wider, higher)
    if NARROWEST * 1.001 < shape < WIDEST * 0.999:
        assert (wider, higher) == (1.0, 1.0)
    elif shape < NARROWEST * 0.999 or shape > WIDEST * 1.001:
        assert shape * wider / higher == pytest.approx(np.clip(1.0, shape / MAX_STRETCH, shape * MAX_STRETCH), rel=1e-3)


def test_nothing_is_stretched_where_no_die_is_seen() -> None:
    none = np.zeros((0, 4), np.float32)
    assert stretch(none, np.zeros(0, np.float32)) == (1.0, 1.0)
    image = table(64, 48)
    assert stretched(image, (1.0, 1.0)) is image
