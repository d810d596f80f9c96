"""A drawn table on which dice and hands move."""

from __future__ import annotations

import cv2
import numpy as np

from vision.tracking.motion import Activity, MotionGate

DIE = 40
GRAIN = cv2.GaussianBlur(np.random.default_rng(7).normal(110, 30, (480, 640)).astype(np.float32), (0, 0), 3)
NOISE = [np.random.default_rng(seed).normal(0, 3, (480, 640, 3)).astype(np.float32) for seed in range(5)]


def table(
    dice: tuple[tuple[int, int], ...] = (),
    light: float = 1.0,
    shift: float = 0.0,
    hand: int | None = None,
    seed: int = 0,
) -> np.ndarray:
    """A grained table with white dice; `hand`: how far an arm reaches in from the left, pixels."""
    picture = cv2.cvtColor(GRAIN, cv2.COLOR_GRAY2BGR)
    for x, y in dice:
        cv2.rectangle(picture, (x - DIE // 2, y - DIE // 2), (x + DIE // 2, y + DIE // 2), (235, 235, 235), -1)
        cv2.circle(picture, (x, y), 5, (20, 20, 20), -1)
    if hand is not None:
        cv2.ellipse(picture, (hand - 150, 300), (200, 60), 0, 0, 360, (120, 150, 210), -1)
    if shift:
        picture = cv2.warpAffine(
            picture, np.array([[1, 0, shift], [0, 1, shift]], np.float32), (640, 480), borderMode=cv2.BORDER_REFLECT
        )
    return np.clip(picture * light + NOISE[seed % len(NOISE)], 0, 255).astype(np.uint8)


def shown(gate: MotionGate, pictures: list[np.ndarray], start: float = 0.0) -> list[Activity]:
    return [gate.step(picture, start + number / 30, DIE) for number, picture in enumerate(pictures)]
