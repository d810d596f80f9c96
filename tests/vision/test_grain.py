"""The grain of a table is visible in a shadow, which is therefore no hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.tracking.constants import SMALLEST_FLYING
from vision.tracking.motion import MotionGate
from vision.tracking.small_picture import Small, alike

CHANCE = np.random.default_rng(5)
# Strokes along the boards, as strong as those of oak; each picture has noise of its own.
WOOD = 110 + cv2.GaussianBlur(CHANCE.normal(0, 300, (480, 640)).astype(np.float32), (0, 0), sigmaX=12, sigmaY=2.5)
NOISE = [CHANCE.normal(0, 2, (480, 640)) for _ in range(5)]
DIE = 40.0


def wood(number: int, light: np.ndarray | float = 1.0) -> np.ndarray:
    """The table in this much light."""
    return cv2.cvtColor(np.clip(WOOD * light + NOISE[number % 5], 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def shade(x: int) -> np.ndarray:
    """The light that a soft shadow around (x, 300) leaves, 0..1."""
    dark = cv2.ellipse(np.zeros((480, 640), np.float32), (x, 300), (120, 90), 0, 0, 360, 0.5, -1)
    return 1 - cv2.GaussianBlur(dark, (0, 0), 12)


@pytest.mark.slow
@pytest.mark.parametrize("step", [0, 2, 6])
def test_a_shadow_over_a_grained_table_is_no_hand_and_nothing_moves_in_it(step: int) -> None:
    """Bug: nothing was read while a hand's shadow drifted beside the dice."""
    gate = MotionGate()
    for number in range(30):
        gate.step(wood(number), number / 30, DIE)
    scenes = [gate.step(wood(n, shade(150 + step * n)), 1 + n / 30, DIE) for n in range(45)]
    assert not any(scene.hands for scene in scenes)
    moved = [(right - left) * (low - top) for scene in scenes[5:] for left, top, right, low in scene.moving]
    assert max(moved, default=0) < SMALLEST_FLYING * DIE**2


def test_noise_is_no_pattern() -> None:
    plain = [Small((110 + noise[:120, :160]).astype(np.float32)) for noise in NOISE]
    assert np.quantile(alike(plain[0], plain[1]), 0.99) < 0.6
