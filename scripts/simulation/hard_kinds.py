"""Drawn pictures of what has been misread: lit keys of a keyboard, dice whose single pip is large and red."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from vision.dice.scoring import Truth
from vision.types import Image

SIGNS = "QWERTZUIOP8ASDFG:6;9%BNM"
SPOTS = {1: ((0, 0),), 4: ((-1, -1), (-1, 1), (1, -1), (1, 1))}  # places of pips, in half the width between them


def keyboard(seed: int) -> Image:
    """Black keys with lit letters, (480, 640, 3) BGR, as a laptop shows them in the evening."""
    rng = np.random.default_rng(seed)
    image = np.full((480, 640, 3), 18, np.uint8)
    side, light = int(rng.integers(34, 60)), tuple(map(int, rng.integers(150, 256, 3)))
    for row, top in enumerate(range(10, 470 - side, side + 6)):
        for number, left in enumerate(range(6 + 12 * (row % 3), 630 - side, side + 6)):
            cv2.rectangle(image, (left, top), (left + side, top + side), (34, 33, 32), -1, cv2.LINE_AA)
            sign = SIGNS[(7 * row + number) % len(SIGNS)]
            cv2.putText(image, sign, (left + side // 4, top + side * 2 // 3), 0, side / 45, light, 2, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.uint8)


def red_ones(seeds: Iterable[int]) -> Iterator[tuple[Image, Truth]]:
    """White dice from straight above, (480, 640, 3) BGR, a one with a large red pip and a four with red pips, as sold
    in Asia, of 30 to 90 pixels, turned as they fall."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        image = np.full((480, 640, 3), rng.integers(50, 150, 3), np.uint8)
        image = (image + cv2.GaussianBlur(rng.normal(0, 9, image.shape), (0, 0), 1.2) * 3).clip(0, 255).astype(np.uint8)
        side, boxes = float(rng.integers(30, 90)), []
        for face, x in ((1, 200.0), (4, 430.0)):
            boxes.append(_die(image, (x, 240.0), side, face, float(rng.uniform(0, 90))))
        yield (
            cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.uint8),
            Truth(np.array(boxes, np.float32), np.array([1, 4])),
        )


def _die(
    image: Image, at: tuple[float, float], side: float, face: int, turn: float
) -> tuple[float, float, float, float]:
    """Draws one into the picture, turned by so many degrees; its box."""
    corners = cv2.boxPoints((at, (side, side), turn))
    cv2.fillPoly(image, [np.round(corners + 4).astype(np.int32)], tuple(float(v) for v in image[0, 0] * 0.5))
    cv2.fillPoly(image, [np.round(corners).astype(np.int32)], (228, 236, 240), cv2.LINE_AA)
    wide = 0.3 if face == 1 else 0.19
    cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    for dx, dy in SPOTS[face]:
        x, y = 0.26 * side * dx, 0.26 * side * dy
        spot = round(at[0] + cosine * x - sine * y), round(at[1] + sine * x + cosine * y)
        cv2.circle(image, spot, round(wide * side / 2), (40, 30, 200), -1, cv2.LINE_AA)
    (left, top), (right, low) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return left, top, right, low
