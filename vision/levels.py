"""Dim and hazy pictures, stretched to the range of light that the networks read best."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.looks import Image

SAMPLES = 3000  # pixels looked at
DARKEST, LIGHTEST = 1, 99  # percentiles between which the range is taken: neither a lamp nor a hole counts
ENOUGH, STRETCHED = 120, 180
DARK = 20  # levels: where the darkest come to lie, unless they are darker
MOST = 5.0  # times: beyond it there is nothing but noise


def levelled(image: Image) -> Image:
    """A picture, (H, W, 3) uint8, whose levels span less than half of what they could, stretched; any other as it is.

    All colours are stretched alike, so a red die stays red.
    """
    step = max(1, math.isqrt(image.shape[0] * image.shape[1] // SAMPLES))
    sample = image[::step, ::step].reshape(-1, 3)
    low = float(np.percentile(sample.min(axis=1), DARKEST))
    span = float(np.percentile(sample.max(axis=1), LIGHTEST)) - low
    if span >= ENOUGH:
        return image
    gain = min(MOST, STRETCHED / max(span, 1.0))
    curve = (np.arange(256) - low) * gain + min(low, DARK)
    return np.asarray(cv2.LUT(image, curve.clip(0, 255).astype(np.uint8)), np.uint8)
