"""A patterned cloth seen from above with dice on it, and areas drawn on it."""

from __future__ import annotations

import cv2
import numpy as np

CHANCE = np.random.default_rng(8)
WEAVE = sum(cv2.GaussianBlur(CHANCE.normal(0, 100 * far, (600, 800)).astype(np.float32), (0, 0), far) for far in (2, 8))
CLOTH = np.clip(110 + WEAVE, 20, 180)
WIDE = 18  # half the width of a die, pixels
ALL = ((0.0, 0.0), (1.0, 0.0), (1.0, 0.8), (0.0, 0.8))
ROW = ((0.0, 0.8), (1.0, 0.8), (1.0, 1.0), (0.0, 1.0))
DICE = [(180, 160), (330, 250), (480, 330)]
