"""Inputs and outputs of the networks."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dice.tensors import image_tensor, likely_cells, padded_tensor

STRIDES = (8, 16)


def grid(height: int, width: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A table of distances for every cell of a picture, and the same as boxes, calculated cell by cell."""
    rng = np.random.default_rng(seed)
    distances, boxes = [], []
    for stride in STRIDES:
        for row in range(height // stride):
            for column in range(width // stride):
                left, top, right, bottom, score = (*rng.uniform(0, 6, 4), rng.random())
                x, y = (column + 0.5) * stride, (row + 0.5) * stride
                x0, y0, x1, y1 = x - left * stride, y - top * stride, x + right * stride, y + bottom * stride
                distances.append((left, top, right, bottom, score))
                boxes.append(((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, score))
    return np.array(distances, np.float32).T, np.array(boxes, np.float32)


@pytest.mark.parametrize("least", [0.0, 0.5, 0.9, 1.1])
def test_a_places_distances_become_the_box_around_it(least: float) -> None:
    table, boxes = grid(48, 80, 3)
    rows = likely_cells(table, least, (48, 80), STRIDES)
    assert np.allclose(rows, boxes[boxes[:, 4] >= least], atol=1e-3)


@pytest.mark.parametrize("size", [(36, 64), (32, 32), (17, 5)])
def test_a_pictures_planes_are_red_green_blue_and_grey_beyond_its_edge(size: tuple[int, int]) -> None:
    height, width = size
    image = np.random.default_rng(1).integers(0, 256, (height, width + 9, 3)).astype(np.uint8)[:, 9:]
    made = padded_tensor(image, 16)
    assert made.shape[2] % 16 == made.shape[3] % 16 == 0
    assert np.array_equal(made[:, :, :height, :width], image_tensor(image[None]))
    assert np.allclose(made[0, :, 0, 0], image[0, 0, ::-1] / 255)
    assert np.allclose(made[:, :, height:], 114 / 255)
    assert np.allclose(made[:, :, :, width:], 114 / 255)
