"""A changed photo must give the same reading: how photos are changed and readings compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.kit.evaluation.metamorphic import SIZES, changes, equal
from vision.dice.detections import Detections


def seen(*faces: int) -> Detections:
    boxes = np.array([[100 * i + 10, 20, 100 * i + 106, 116] for i in range(len(faces))], np.float32).reshape(-1, 4)
    return Detections(boxes, np.eye(6, dtype=np.float32)[[face - 1 for face in faces]], np.ones(len(faces)))


def test_a_photo_is_read_again_at_six_sizes_down_to_dice_of_24_pixels_mirrored_lighter_and_darker() -> None:
    image = np.full((400, 800, 3), 100, np.uint8)
    made = [change.of(image) for change in changes(image, seen(2, 5))]
    assert len(made) == SIZES - 1 + 3
    assert made[SIZES - 2].shape == (100, 200, 3)  # dice of 96 pixels
    assert [int(one.mean()) for one in made[-2:]] == [110, 90]


@pytest.mark.parametrize("number", range(SIZES - 1 + 3))
def test_boxes_found_in_a_changed_photo_are_mapped_back_to_the_original(number: int) -> None:
    image, dice = np.full((400, 800, 3), 100, np.uint8), seen(2, 5)
    one = list(changes(image, dice))[number]
    boxes = dice.xyxy * (one.of(image).shape[1] / 800)
    if one.name == "mirrored":
        boxes = np.array([800, 0, 800, 0]) - boxes[:, [2, 1, 0, 3]] * [1, -1, 1, -1]
    np.testing.assert_allclose(one.back(replace(dice, xyxy=boxes), image).xyxy, dice.xyxy, atol=1)


def test_a_die_seen_in_one_of_two_answers_is_unequal() -> None:
    assert equal(seen(2, 5), seen(2, 5)) == (2, 2)
    assert equal(seen(2, 5), seen(2, 4)) == (1, 2)
    assert equal(seen(2, 5), seen(2)) == (1, 2)
    assert equal(seen(2), seen(2, 5)) == (1, 2)
    assert equal(seen(), seen()) == (0, 0)
