"""Hand-made detections for tests of fast and refined passes."""

from __future__ import annotations

import numpy as np

from vision.dice.detections import Detections

NOTHING = (500.0, 60.0, 536.0, 96.0)  # a place without a die


def one(box: tuple[float, float, float, float], value: int, sure: float, passes: float = 1.0) -> Detections:
    chances = np.full((1, 6), (1 - sure) / 5, np.float32)
    chances[0, value - 1] = sure
    return Detections(np.array([box], np.float32), chances, np.ones(1, np.float32), np.full(1, passes, np.float32))


def at(place: tuple[float, float, float, float], boxes: np.ndarray) -> np.ndarray:
    """Which of the boxes, (n, 4), are at this place."""
    return np.abs(boxes.reshape(-1, 4) - place).max(axis=1) < 5
