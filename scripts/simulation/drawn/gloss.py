"""What is mirrored in polished dice."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from .photos import Image


def gloss(image: Image, rng: Generator) -> Image:
    """Lamps and windows mirrored in what is polished: arcs along rounded edges and in hollow pips, streaks, now and
    then, in the middle of a look at one die."""
    if rng.random() > 0.2:
        return image
    height, width = image.shape[:2]
    mirrored: Image = np.zeros((height, width), np.uint8)
    for _ in range(1 + int(rng.poisson(0.7))):
        x, y = (np.array([width, height]) * (0.5 + rng.normal(0, 0.16, 2))).astype(int).tolist()
        reach = width * float(np.exp(rng.uniform(np.log(0.05), np.log(0.25))))
        axes = max(2, int(reach)), max(1, int(reach * rng.uniform(0.4, 1)))
        begin, span = float(rng.uniform(0, 360)), float(rng.uniform(30, 200))
        thick = 1 + int(rng.integers(0, max(1, int(0.04 * width))))
        cv2.ellipse(
            mirrored,
            (x, y),
            axes,
            float(rng.uniform(0, 180)),
            begin,
            begin + span,
            255,
            min(thick, axes[1]),
            cv2.LINE_AA,
        )
    mirrored = cv2.GaussianBlur(mirrored, (0, 0), float(rng.uniform(0.4, 1.6)))
    light = mirrored[..., None] * np.float32(rng.uniform(0.35, 1) / 255)
    lamp = (255 - np.abs(rng.normal(0, 20, 3))).astype(np.float32)
    return np.asarray(image + light * (lamp - image), np.float32).clip(0, 255).astype(np.uint8)
