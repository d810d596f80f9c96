"""Drawn images of objects that readers have misread: lit keys of a keyboard, and dice whose single pip is large and
red."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from tests.kit.evaluation.scoring import Truth
from tests.kit.plain_dice import RED, draw_die, draw_red_one
from vision.types import Image

SIGNS = "QWERTZUIOP8ASDFG:6;9%BNM"


def keyboard(seed: int) -> Image:
    """Black keys with lit letters, (480, 640, 3) BGR, as on a laptop in the evening."""
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
    """(480, 640, 3) BGR: a one with a large red pip and a four with red pips, as sold in Asia, 30 to 90 pixels wide,
    randomly rotated."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        grain = cv2.GaussianBlur(rng.normal(0, 27, (480, 640, 3)), (0, 0), 1.2)
        image = (rng.integers(50, 150, 3) + grain).clip(0, 255).astype(np.uint8)
        side, turns = int(rng.integers(30, 90)), rng.uniform(0, 90, 2).tolist()
        draw_red_one(image, 200, 240, side, turns[0])
        draw_die(image, 430, 240, side, 4, turns[1], pips=RED)
        boxes = [(x - side / 2, 240 - side / 2, x + side / 2, 240 + side / 2) for x in (200, 430)]
        image = cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.uint8)
        yield image, Truth(np.array(boxes, np.float32), np.array([1, 4]))
