"""Stretches the contrast of dim and hazy images to the range that the networks read best."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image

SAMPLES = 12000  # pixels sampled to measure the range
# Quantiles between which the range is measured. The lower one is tiny because the pips may be all that is dark.
DARKEST, LIGHTEST = 0.001, 0.999
ENOUGH_RANGE, TARGET_RANGE = 105, 225  # levels of 255: a narrower range is stretched to the second value
DARK_LEVEL = 20  # the darkest level is mapped to this one unless it is darker already
MAX_GAIN = 5.0  # maximum gain: beyond it there is only noise


def levelled(image: Image) -> Image:
    """Stretches the contrast of an image whose brightness spans less than half of the range. Other images are returned
    unchanged.

    All channels are stretched alike, so colours stay the same.

    Args:
        image: (H, W, 3) uint8.
    """
    step = max(1, math.isqrt(image.shape[0] * image.shape[1] // SAMPLES))
    blue, green, red = (image[::step, ::step, channel].ravel() for channel in range(3))
    least, most = (extreme(extreme(blue, green), red) for extreme in (np.minimum, np.maximum))
    low = float(_ranked(least, DARKEST))
    span = float(_ranked(most, LIGHTEST)) - low
    if span >= ENOUGH_RANGE:
        return image
    gain = min(MAX_GAIN, TARGET_RANGE / max(span, 1.0))
    curve = (np.arange(256) - low) * gain + min(low, DARK_LEVEL)
    return np.asarray(cv2.LUT(image, curve.clip(0, 255).astype(np.uint8)), np.uint8)


def _ranked(levels: npt.NDArray[np.uint8], share: float) -> np.uint8:
    """The level at this quantile, 0..1."""
    rank = round(share * (len(levels) - 1))
    return np.uint8(np.partition(levels, rank)[rank])
