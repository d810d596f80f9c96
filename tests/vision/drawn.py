"""Drawn dice and empty tables, and what the detector reads in them."""

from __future__ import annotations

import cv2
import numpy as np

from tests.kit.plain_dice import draw_die
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.dice.tiling import Float
from vision.types import Image


def table(width: int = 960, height: int = 720, seed: int = 0) -> Image:
    """An empty brown table with grain."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 9, (height, width)).astype(np.float32), (0, 0), 1.2)[..., None]
    return (np.array([70, 105, 140]) + 3 * grain).clip(0, 255).astype(np.uint8)


def laid_dice() -> tuple[Image, dict[tuple[int, int], int]]:
    """A picture of six dice, one of each value."""
    image, dice = table(), {}
    for face in range(1, 7):
        x, y = 150 + 300 * ((face - 1) % 3), 200 + 300 * ((face - 1) // 3)
        draw_die(image, x, y, 70, face, turn=17.0 * face)
        dice[x, y] = face
    return image, dice


def read_off(seen: Detections, dice: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """The value read at each place."""
    values = {}
    for box, face in zip(seen.xyxy, seen.faces, strict=True):
        for x, y in dice:
            if box[0] < x < box[2] and box[1] < y < box[3]:
                values[x, y] = int(face)
    return values


def no_ink(self: Detector, image: Image, boxes: Float, *, quickly: bool = False) -> Float:
    """Disables the print filter: the dice drawn here are flat squares, like printed ones."""
    return np.zeros(len(boxes), np.float32)
