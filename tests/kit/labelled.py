"""Writes labelled images in Ultralytics' layout and splits numbered assets into train and dev, for all rendering
scripts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from tests.kit.dice import Picture

SURFACES, LOOKS = 800, 4000  # numbers of assets; every eighth is reserved for `dev`
PROGRESS = 10  # images or scenes between two progress messages
Label = tuple[int, float, float, float, float]  # class = value - 1, then middle and size of the box, relative


def asset(rng: np.random.Generator, among: int, dev: bool) -> int:
    """A random number below `among` from the split: every eighth number is in dev."""
    number = int(rng.integers(among))
    return number // 8 * 8 + (7 if dev else number % 7)


def save_all(
    out: Path, numbers: Sequence[int], made: Callable[[int], Iterable[tuple[str, Picture, list[Label]]]]
) -> None:
    """Saves the images, named and labelled, that are made for each number, and prints progress."""
    began = time.monotonic()
    for done, number in enumerate(numbers, 1):
        for name, image, labels in made(number):
            save(out, name, image, labels)
        if done % PROGRESS == 0 or done == len(numbers):
            print(f"{done} of {len(numbers)}, {(time.monotonic() - began) / 60:.1f} min")


def save(out: Path, name: str, image: Picture, labels: Sequence[Label]) -> None:
    """Writes an image to OUT/images and its labels to OUT/labels."""
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(out / "images" / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    rows = "".join(f"{c} {x:.6f} {y:.6f} {w:.6f} {h:.6f}\n" for c, x, y, w, h in labels)
    (out / "labels" / f"{name}.txt").write_text(rows, encoding="utf-8")
