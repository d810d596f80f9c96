"""Pictures squeezed one way, told by their dice: a die is about as wide as it is high from wherever it is seen."""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.tiling import Float
from vision.types import Image

# Width by height of dice, on average over a picture's: narrower or wider than this they do not look. Seen at a grazing
# angle they come to 0.75; 16:9 made square gives 0.56 to 0.7, square made 16:9 1.4 to 1.8.
NARROWEST, WIDEST = 0.72, 1.3
MOST = 2.0  # times: what looks narrower still is no die


def stretch(boxes: Float, scores: Float) -> tuple[float, float]:
    """How many times wider and higher a picture should be for these boxes (n, 4) of dice, weighed by their scores."""
    if len(boxes) == 0:
        return 1.0, 1.0
    size = np.maximum(boxes[:, 2:] - boxes[:, :2], 1)
    shape = float(np.exp(np.average(np.log(size[:, 0] / size[:, 1]), weights=scores)))
    if NARROWEST <= shape <= WIDEST:
        return 1.0, 1.0
    return (min(1 / shape, MOST), 1.0) if shape < 1 else (1.0, min(shape, MOST))


def stretched(image: Image, by: tuple[float, float]) -> Image:
    """The picture so many times as wide and as high."""
    if by == (1.0, 1.0):
        return image
    return np.asarray(cv2.resize(image, None, fx=by[0], fy=by[1], interpolation=cv2.INTER_LINEAR), np.uint8)
