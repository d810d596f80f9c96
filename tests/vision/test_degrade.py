"""Boxes found in a degraded picture are mapped back to the original picture."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.degrade import Degradation
from vision.dice.detections import Detections

CHANGES = [
    Degradation("mirrored", flip=1),
    Degradation("upside down", flip=-1),
    Degradation("half as large", scale=(0.5, 0.5)),
    Degradation("narrow and upside down", scale=(0.5, 1.0), flip=-1),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_box_found_in_the_changed_picture_comes_back(change: Degradation) -> None:
    image = np.zeros((200, 400, 3), np.uint8)
    image[20:80, 300:340] = 255
    rows, columns = np.nonzero(change.of(image)[..., 0] > 127)
    box = np.array([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]], np.float32)
    seen = change.back(Detections(box, np.full((1, 6), 1 / 6, np.float32), np.ones(1, np.float32)), image)
    np.testing.assert_allclose(seen.xyxy, [[300, 20, 340, 80]], atol=1)
