"""Environment light for path-traced dice, and camera exposure."""

from __future__ import annotations

import cv2
import numpy as np

from tests.kit.dice import Array, Picture


def room(rng: np.random.Generator) -> Array:
    """Environment map of a room, radiance (64, 128, 3): walls and ceiling with windows, lamps or one bare bulb."""
    rows = np.linspace(0, 1, 64)[:, None, None]
    ceiling, floor = rng.uniform(0.2, 1, (2, 1, 1, 3)).astype(float) ** 0.5 * rng.uniform(0.05, 1, (2, 1, 1, 1))
    around = np.ones((64, 128, 3)) * (ceiling * (1 - rows) + floor * rows * 0.4)
    tint = np.exp(rng.normal(0, 0.12, 3))
    for _ in range(int(rng.integers(1, 5))):
        left, top = int(rng.integers(0, 128)), int(rng.integers(0, 26))
        wide, high = int(rng.integers(2, 26)), int(rng.integers(2, 14))
        box = np.roll(around, -left, axis=1)
        box[top : top + high, :wide] = np.exp(rng.uniform(np.log(2), np.log(25))) * tint
        around = np.roll(box, left, axis=1)
    if rng.uniform() < 0.4:
        around[int(rng.integers(2, 26)), int(rng.integers(0, 128))] += float(rng.uniform(100, 900)) * tint
    return np.asarray(cv2.GaussianBlur(around, (0, 0), float(rng.choice([0.5, 1, 3]))))


def exposed(radiance: Array, rng: np.random.Generator) -> Picture:
    """(h, w, 3) uint8 BGR from radiance with auto-exposure: highlights near white, sometimes over- or underexposed."""
    bright = float(np.quantile(radiance.mean(axis=2), rng.uniform(0.7, 0.98)))
    linear = radiance * (float(np.clip(np.exp(rng.normal(np.log(0.6), 0.2)), 0.3, 1.0)) / max(bright, 1e-6))
    return (np.clip(linear, 0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8)
