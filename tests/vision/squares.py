"""A detector of drawn squares, so that tests of tracking need no network."""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.detections import Detections
from vision.pipeline import Pipeline
from vision.types import Frame

TABLES = [np.random.default_rng(seed).normal(100, 4, (480, 640, 3)).astype(np.uint8) for seed in range(4)]
DICE = ((150, 120), (260, 300), (400, 200))


class Squares:
    """Finds white squares in pictures and pieces of them, and logs its calls."""

    least_area = 600  # pixels

    def __init__(self) -> None:
        self.searched: list[tuple[int, int]] = []
        self.refined_sizes: list[tuple[int, int]] = []
        self.reads = 0

    def detect(self, image, *, thorough: bool = False) -> Detections:
        (self.refined_sizes if thorough else self.searched).append((image.shape[1], image.shape[0]))
        _, _, stats, _ = cv2.connectedComponentsWithStats((image[..., 0] > 200).astype(np.uint8))
        boxes = [(x, y, x + w, y + h) for x, y, w, h, area in stats[1:] if area > self.least_area]
        return self.read(image, np.array(boxes, np.float32).reshape(-1, 4))

    def read(self, image, boxes) -> Detections:
        self.reads += 1
        chances = np.full((len(boxes), 6), 0.01, np.float32)
        chances[:, 3] = 0.95
        there = [float(image[int((b[1] + b[3]) / 2), int((b[0] + b[2]) / 2), 0] > 200) for b in boxes]
        return Detections(boxes, chances, np.array(there, np.float32))


def picture(dice, number: int) -> np.ndarray:
    seen = TABLES[number % len(TABLES)].copy()
    for x, y in dice:
        seen[y - 18 : y + 18, x - 18 : x + 18] = 235
    return seen


def filmed(pipeline: Pipeline, dice, start: int, frames: int):
    """The last reading of a film of `frames` frames at 30 per second, in which each die rests or comes in from the
    left."""
    for number in range(start, start + frames):
        reading = pipeline.step(Frame(picture(dice(number - start), number), number / 30, number))
    return reading
