"""Dim and hazy pictures, stretched to the range of light that the networks read best."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image

SAMPLES = 12000  # pixels looked at
DARKEST, LIGHTEST = 0.001, 0.999  # shares between which the range is taken: dark pips may be all that is dark
ENOUGH, STRETCHED = 105, 225  # levels of 255: a narrower range is stretched to the second
DARK = 20  # levels: where the darkest come to lie, unless they are darker
MOST = 5.0  # times: beyond it there is nothing but noise


def levelled(image: Image) -> Image:
    """A picture, (H, W, 3) uint8, whose levels span less than half of what they could, stretched; any other as it is.

    All colours are stretched alike, so a red die stays red.
    """
    step = max(1, math.isqrt(image.shape[0] * image.shape[1] // SAMPLES))
    blue, green, red = (image[::step, ::step, channel].ravel() for channel in range(3))
    least, most = (extreme(extreme(blue, green), red) for extreme in (np.minimum, np.maximum))
    low = float(_ranked(least, DARKEST))
    span = float(_ranked(most, LIGHTEST)) - low
    if span >= ENOUGH:
        return image
    gain = min(MOST, STRETCHED / max(span, 1.0))
    curve = (np.arange(256) - low) * gain + min(low, DARK)
    return np.asarray(cv2.LUT(image, curve.clip(0, 255).astype(np.uint8)), np.uint8)


def _ranked(levels: npt.NDArray[np.uint8], share: float) -> np.uint8:
    """The level below which this share of them lies."""
    rank = round(share * (len(levels) - 1))
    return np.uint8(np.partition(levels, rank)[rank])
