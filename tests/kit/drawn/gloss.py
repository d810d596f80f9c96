"""Adds specular highlights of polished dice to crops."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from .photos import Image

OFTEN = 0.2  # share of crops with a highlight
AROUND = 0.16  # standard deviation of the distance from the centre, crop widths
SMALLEST, LARGEST = 0.05, 0.25  # crop widths: semi-axis of an arc's ellipse, from a pip's rim to a die's edge
THICKEST = 0.04  # crop widths: a thicker arc would resemble a pip


def gloss(image: Image, rng: Generator) -> Image:
    """Sometimes adds arcs of reflected light, as on rounded edges and hollow pips, to a crop (H, W, 3) uint8."""
    if rng.random() > OFTEN:
        return image
    height, width = image.shape[:2]
    mirrored: Image = np.zeros((height, width), np.uint8)
    for _ in range(1 + int(rng.poisson(0.7))):
        x, y = (np.array([width, height]) * (0.5 + rng.normal(0, AROUND, 2))).astype(int).tolist()
        reach = width * float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))))
        axes = max(2, int(reach)), max(1, int(reach * rng.uniform(0.4, 1)))
        begin, span = float(rng.uniform(0, 360)), float(rng.uniform(30, 200))
        thick = min(1 + int(rng.integers(0, max(1, int(THICKEST * width)))), axes[1])
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(mirrored, (x, y), axes, turn, begin, begin + span, 255, thick, cv2.LINE_AA)
    mirrored = cv2.GaussianBlur(mirrored, (0, 0), float(rng.uniform(0.4, 1.6)))
    light = mirrored[..., None] * np.float32(rng.uniform(0.35, 1) / 255)
    lamp = (255 - np.abs(rng.normal(0, 20, 3))).astype(np.float32)
    return np.asarray(image + light * (lamp - image), np.float32).clip(0, 255).astype(np.uint8)
