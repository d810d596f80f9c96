"""Corrects the aspect ratio of a squeezed image by its dice: from any angle a die looks about as wide as it is high."""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.tiling import Float
from vision.types import Image

# Mean width/height of an image's dice outside this range means a squeezed image. Dice seen at a grazing angle reach
# 0.75; 16:9 squeezed to a square gives 0.56 to 0.7, a square stretched to 16:9 gives 1.4 to 1.8.
NARROWEST, WIDEST = 0.72, 1.3
MAX_STRETCH = 2.0  # maximum factor: boxes narrower than that are not dice


def stretch(boxes: Float, scores: Float) -> tuple[float, float]:
    """Factors (x, y) by which to stretch the image, from the boxes (n, 4) of its dice weighted by their scores (n,)."""
    if len(boxes) == 0:
        return 1.0, 1.0
    size = np.maximum(boxes[:, 2:] - boxes[:, :2], 1)
    shape = float(np.exp(np.average(np.log(size[:, 0] / size[:, 1]), weights=scores)))
    if NARROWEST <= shape <= WIDEST:
        return 1.0, 1.0
    return (min(1 / shape, MAX_STRETCH), 1.0) if shape < 1 else (1.0, min(shape, MAX_STRETCH))


def stretched(image: Image, by: tuple[float, float]) -> Image:
    """The image scaled by the factors (x, y)."""
    if by == (1.0, 1.0):
        return image
    return np.asarray(cv2.resize(image, None, fx=by[0], fy=by[1], interpolation=cv2.INTER_LINEAR), np.uint8)
