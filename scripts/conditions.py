#!/usr/bin/env python
"""Measures how much degraded images hurt the reader: dim, blurred, small, upside down.

    python -m scripts.conditions --photos DIR [--sets closeup plush empty] [--only lamp] [--live] [--keep]

Every labelled photo of `DIR/dev` is degraded in one way at a time, read, and compared with its labels. The result is
deterministic. Nothing is tuned with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from tests.kit import figures
from tests.kit.degrade import Degradation, blurred, flat, grey, lit, noisy, packed, shaken
from tests.kit.evaluation.photos import UNSEEN, measure
from tests.kit.evaluation.scoring import Tally, Truth
from tests.kit.options import PHOTOS, run
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.types import Image

ROOT = Path(__file__).resolve().parent.parent
TITLE = "Poor pictures"
ABOUT = """
How much worse are dice read when the picture is dim, blurred, small, squeezed or rotated?

Labelled photos are changed in one way at a time and read again. They come from `closeup`, `plush` and `empty` (66
pictures, 236 dice), which no network has seen ([datasets/README.md](../datasets/README.md)). `--live` reads them as
live frames. *Undetected errors*: a wrong value with a confidence of 0.8 or more.

Known limits: an oblique picture upside down (163 instead of 316 of the 326 dice of `desk`); a dim picture that is
also blurred and noisy; 16:9 pictures squeezed to a square lose two dice of 236.
"""
_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def lamps(image: Image, truth: Truth) -> Image:
    """Mirrors a lamp, a window or the sky near the centre of every die: a streak, a square or a crescent."""
    light, rng = np.zeros(image.shape[:2], np.float32), np.random.default_rng(zlib.crc32(image.tobytes()))
    for left, top, right, low in truth.xyxy.tolist():
        side = max(right - left, low - top)
        turn, away, along = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.3) * side, rng.uniform(0, 2 * np.pi)
        x, y = (left + right) / 2 + away * np.cos(turn), (top + low) / 2 + away * np.sin(turn)
        ahead = np.array([np.cos(along), np.sin(along)])
        aside = np.array([-ahead[1], ahead[0]])
        kind, size = rng.integers(3), rng.uniform(0.5, 1) * side
        if kind < 2:  # a streak half as long as the die, or a square
            half = (0.25, 0.03) if kind == 0 else (0.11, 0.08)
            corners = [(x, y) + size * (i * half[0] * ahead + j * half[1] * aside) for i, j in _CORNERS]
            cv2.fillPoly(light, [(np.array(corners) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
        else:
            moon = np.zeros_like(light)
            cv2.circle(moon, (int(x * 16), int(y * 16)), int(0.2 * size * 16), 1.0, -1, cv2.LINE_AA, 4)
            dark_x, dark_y = (x, y) + 0.08 * size * ahead
            cv2.circle(moon, (int(dark_x * 16), int(dark_y * 16)), int(0.2 * size * 16), 0.0, -1, cv2.LINE_AA, 4)
            light = np.maximum(light, moon)
    light = 0.8 * cv2.GaussianBlur(light, (0, 0), 1.0)[..., None]
    return np.asarray(image + light * (250 - image.astype(np.float32)), np.float32).clip(0, 255).astype(np.uint8)


def filmed(image: Image) -> Image:
    """Blur, noise and strong compression, as in video."""
    return packed(noisy(blurred(image, 1 / 1280), 4.0), 40)


LAMPS = Degradation("a lamp mirrored in every die")
CONDITIONS = (
    Degradation("as taken"),
    LAMPS,
    Degradation("half as large", scale=(1 / 2, 1 / 2)),
    Degradation("a third as large", scale=(1 / 3, 1 / 3)),
    Degradation("a quarter as large", scale=(1 / 4, 1 / 4)),
    Degradation("dim: a third of the light", lambda image: lit(image, 1 / 3)),
    Degradation("very dim: a fifth, and noisy", lambda image: noisy(image, 6.0, 0.2)),
    Degradation("nearly dark: a tenth, and noisy", lambda image: noisy(image, 3.0, 0.1)),
    Degradation("overexposed by two thirds of a stop", lambda image: lit(image, 1.6)),
    Degradation("candle light", lambda image: lit(image, cast=(0.45, 0.75, 1.1))),
    Degradation("green light", lambda image: lit(image, cast=(0.6, 1.1, 0.6))),
    Degradation("a third of the contrast", lambda image: flat(image, 1 / 3)),
    Degradation("black and white", grey),
    Degradation("out of focus: 3 pixels of 1280", lambda image: blurred(image, 3 / 1280)),
    Degradation("shaken: 12 pixels of 1280", lambda image: shaken(image, 12 / 1280)),
    Degradation("noise of 15 grey levels", lambda image: noisy(image, 15.0)),
    Degradation("JPEG of quality 20", lambda image: packed(image, 20)),
    Degradation("filmed from twice as far", filmed, scale=(1 / 2, 1 / 2)),
    Degradation("filmed from three times as far", filmed, scale=(1 / 3, 1 / 3)),
    Degradation("filmed from four times as far", filmed, scale=(1 / 4, 1 / 4)),
    Degradation("made square from 16:9, or as narrow", scale=(9 / 16, 1.0)),
    Degradation("made 16:9 from a square, or as low", scale=(1.0, 9 / 16)),
    Degradation("upside down", flip=-1),
    Degradation("mirrored", flip=1),
)


def row(
    condition: Degradation, photos: Path, sets: Sequence[str], read: Callable[[Image], Detections]
) -> dict[str, object]:
    """The result of these photos under a condition."""
    measured = measure(
        photos,
        lambda image: condition.back(read(condition.of(image)), image),
        sets or None,
        before=lamps if condition is LAMPS else None,
    )
    total = Tally.of([one.outcome for one in measured])
    return {
        "the picture": condition.name,
        "dice read right": f"{100 * total.right / total.dice:.1f} %",
        "missed": total.missed,
        "wrong": total.wrong,
        "extra": total.extra,
        "undetected errors": f"{100 * total.undetected / total.dice:.1f} %",
        "pictures right": f"{100 * total.complete / total.pictures:.1f} %",
    }


def main(
    photos: Path = PHOTOS,
    sets: tuple[str, ...] = tuple(UNSEEN),
    model: Path = ROOT / "models",
    only: str = "",
    live: bool = False,
    keep: bool = False,
) -> None:
    """Reads every photo under every condition, and reports.

    Args:
        sets: Data sets; by default all.
        only: Only conditions whose name contains this.
        live: Read as live frames and not as photos.
    """
    read, found = partial(Detector(model).detect, thorough=not live), []
    for condition in (one for one in CONDITIONS if only in one.name):
        found.append(row(condition, photos / "dev", sets, read))
        print(found[-1], flush=True)
    what = f"The pictures of {', '.join(sets) or 'all sets'}, read as {'live pictures' if live else 'stills'} are."
    figures.report("conditions", TITLE, ABOUT, what, found, keep=keep)


if __name__ == "__main__":
    run(main)
