"""Converts images to network inputs and network outputs to arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.tiling import Float
from vision.types import Image

PADDING = 114  # grey level around an image that does not fill the network's grid, as Ultralytics trains it
_PART = np.float32(1 / 255)


def padded_tensor(image: Image, stride: int) -> Float:
    """(h, w, 3) uint8 BGR → (1, 3, h, w) float32 RGB 0..1, padded with grey at the right and bottom to a multiple of
    the stride.

    Converts channel by channel, which is twice as fast as transposing the image.
    """
    height, width = image.shape[:2]
    image_tensor = np.empty((1, 3, height + -height % stride, width + -width % stride), np.float32)
    image_tensor[:, :, height:], image_tensor[:, :, :, width:] = PADDING, PADDING
    for plane, channel in zip(image_tensor[0], cv2.split(image)[::-1], strict=True):
        plane[:height, :width] = channel
    image_tensor *= _PART  # A separate step: combined with the type conversion it takes half as long again
    return image_tensor


def image_tensor(images: Image) -> Float:
    """(n, h, w, 3) uint8 BGR → (n, 3, h, w) float32 RGB 0..1."""
    return np.ascontiguousarray(images[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32) * _PART


def likely_cells(table: Float, least: float, size: tuple[int, int], strides: tuple[int, ...]) -> Float:
    """The cells of a finder's output with at least this score, as rows of centre, size and score.

    The output (5, cells) has the distances to left, top, right and bottom, and the scores. Distances are in strides of
    the cell's level. Levels follow each other, each row by row. Decoding the few likely cells here is cheaper than
    decoding all in the network.

    Args:
        size: (height, width) of the network's input.
    """
    places = np.flatnonzero(table[4] >= least)
    x, y, stride = _places(size, strides)[:, places]
    left, top, right, bottom, scores = table[:, places]
    rows = np.empty((len(places), 5), np.float32)
    rows[:, 0], rows[:, 1] = (x + (right - left) / 2) * stride, (y + (bottom - top) / 2) * stride
    rows[:, 2], rows[:, 3] = (left + right) * stride, (top + bottom) * stride
    rows[:, 4] = scores
    return rows


@lru_cache(maxsize=8)
def _places(size: tuple[int, int], strides: tuple[int, ...]) -> Float:
    """(3, cells): x and y of the cells' centres in strides, and the stride in pixels."""
    levels = []
    for stride in strides:
        y, x = np.indices((size[0] // stride, size[1] // stride), np.float32).reshape(2, -1) + 0.5
        levels.append(np.stack([x, y, np.full_like(x, stride)]))
    return np.concatenate(levels, axis=1)


def softmax(logits: npt.NDArray[np.floating[Any]]) -> Float:
    """Logits (n, classes) → probabilities."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def shares(rows: Float) -> Float:
    """Rows scaled to sum 1."""
    return np.asarray(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-9), dtype=np.float32)
