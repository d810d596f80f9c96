#!/usr/bin/env python
"""How much worse dice are read when the picture is worse: dim, blurred, small, upside down.

    python -m scripts.conditions --photos DIR [--sets closeup plush empty] [--only lamp] [--live] [--keep]

Every labelled picture of `DIR/dev` is changed in one way at a time, read, and compared with the same truth. The same
pictures come out each time. Nothing here tunes anything.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.bench.vision import UNSEEN, measure
from tests.kit import figures
from tests.kit.options import PHOTOS, run
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.dice.scoring import Tally, Truth

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
Image = npt.NDArray[Any]
Boxes = npt.NDArray[np.float32]


def _same(xyxy: Boxes, height: int, width: int) -> Boxes:
    return xyxy


def _as_taken(image: Image) -> Image:
    return image


@dataclass(frozen=True, slots=True)
class Condition:
    """change: what happens to the picture; back: from boxes in the changed picture (of this height and width, pixels)
    to boxes in the one before; at_dice: what happens to its dice before that."""

    name: str
    change: Callable[[Image], Image] = _as_taken
    back: Callable[[Boxes, int, int], Boxes] = _same
    at_dice: Callable[[Image, Truth], Image] | None = None


def lit(name: str, gain: float = 1.0, cast: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Condition:
    """Brighter, darker or coloured (factors of blue, green, red); what gets too bright is cut off."""

    def change(image: Image) -> Image:
        values = image.astype(np.float32) * gain * np.array(cast, np.float32)
        return np.clip(values, 0, 255).astype(np.uint8)

    return Condition(name, change)


def flat(name: str, share: float) -> Condition:
    """Only this share of the contrast left, around middle grey: a lens with a veil."""
    return Condition(name, lambda image: cv2.addWeighted(image, share, np.full_like(image, 128), 1 - share, 0))


def noisy(name: str, deviation: float, gain: float = 1.0) -> Condition:
    """A dim sensor: darker, then noise (grey levels, each channel by itself)."""

    def change(image: Image) -> Image:
        noise = np.random.default_rng(1).normal(0, deviation, image.shape).astype(np.float32)
        return np.clip(image * np.float32(gain) + noise, 0, 255).astype(np.uint8)

    return Condition(name, change)


def blurred(name: str, share: float) -> Condition:
    """Out of focus by this share of the picture's longer side (the deviation of a Gaussian)."""
    return Condition(name, lambda image: cv2.GaussianBlur(image, (0, 0), share * max(image.shape[:2])))


def shaken(name: str, share: float) -> Condition:
    """Moved sideways and downward while it was taken, by this share of its longer side."""

    def change(image: Image) -> Image:
        length = max(3, round(share * max(image.shape[:2])))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, length // 4), (length - 1, length - 1 - length // 4), 1.0)
        return cv2.filter2D(image, -1, kernel / kernel.sum())

    return Condition(name, change)


def packed(name: str, quality: int) -> Condition:
    """A JPEG of this quality."""

    def change(image: Image) -> Image:
        written = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR))

    return Condition(name, change)


def shrunk(name: str, factor: float) -> Condition:
    """Taken from farther away: so much smaller, and no finer."""

    def change(image: Image) -> Image:
        return cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)

    return Condition(name, change, lambda xyxy, height, width: (xyxy / factor).astype(np.float32))


def filmed(name: str, factor: float) -> Condition:
    """Taken from farther away by a camera that films: so much smaller, then soft, noisy and packed hard."""
    small, soft, grainy, hard = shrunk(name, factor), blurred("", 1 / 1280), noisy("", 4.0), packed("", 40)

    def change(image: Image) -> Image:
        return hard.change(grainy.change(soft.change(small.change(image))))

    return Condition(name, change, small.back)


def squeezed(name: str, wide: float, high: float) -> Condition:
    """Made narrower or lower without regard to its proportions, as pictures made square are."""
    by = np.array([wide, high, wide, high], np.float32)
    return Condition(
        name,
        lambda image: cv2.resize(image, None, fx=wide, fy=high, interpolation=cv2.INTER_AREA),
        lambda xyxy, height, width: (xyxy / by).astype(np.float32),
    )


def lamps(image: Image, truth: Truth) -> Image:
    """A lamp, a window or the sky mirrored in every die, somewhere near its middle: a streak, a square or a moon."""
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


def upside_down(xyxy: Boxes, height: int, width: int) -> Boxes:
    return np.array([width, height, width, height], np.float32) - xyxy[:, [2, 3, 0, 1]]


def mirrored(xyxy: Boxes, height: int, width: int) -> Boxes:
    boxes = xyxy.copy()
    boxes[:, [0, 2]] = width - xyxy[:, [2, 0]]
    return boxes


def grey(image: Image) -> Image:
    return cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


CONDITIONS = (
    Condition("as taken"),
    Condition("a lamp mirrored in every die", at_dice=lamps),
    shrunk("half as large", 0.5),
    shrunk("a third as large", 1 / 3),
    shrunk("a quarter as large", 1 / 4),
    lit("dim: a third of the light", gain=1 / 3),
    noisy("very dim: a fifth, and noisy", 6.0, 0.2),
    noisy("nearly dark: a tenth, and noisy", 3.0, 0.1),
    lit("overexposed by two thirds of a stop", gain=1.6),
    lit("candle light", cast=(0.45, 0.75, 1.1)),
    lit("green light", cast=(0.6, 1.1, 0.6)),
    flat("a third of the contrast", 1 / 3),
    Condition("black and white", grey),
    blurred("out of focus: 3 pixels of 1280", 3 / 1280),
    shaken("shaken: 12 pixels of 1280", 12 / 1280),
    noisy("noise of 15 grey levels", 15.0),
    packed("JPEG of quality 20", 20),
    filmed("filmed from twice as far", 1 / 2),
    filmed("filmed from three times as far", 1 / 3),
    filmed("filmed from four times as far", 1 / 4),
    squeezed("made square from 16:9, or as narrow", 9 / 16, 1.0),
    squeezed("made 16:9 from a square, or as low", 1.0, 9 / 16),
    Condition("upside down", lambda image: cv2.rotate(image, cv2.ROTATE_180), upside_down),
    Condition("mirrored", lambda image: cv2.flip(image, 1), mirrored),
)


def under(condition: Condition, read: Callable[[Image], Detections]) -> Callable[[Image], Detections]:
    """Reads the changed picture; the boxes are those of the picture as it was."""

    def reading(image: Image) -> Detections:
        changed = condition.change(image)
        seen = read(changed)
        return replace(seen, xyxy=condition.back(seen.xyxy, *changed.shape[:2]))

    return reading


def row(
    condition: Condition, photos: Path, sets: Sequence[str], read: Callable[[Image], Detections]
) -> dict[str, object]:
    """How the pictures of these sets are read under a condition."""
    measured = measure(photos, under(condition, read), sets or None, before=condition.at_dice)
    total = Tally.of([one.outcome for one in measured])
    return {
        "the picture": condition.name,
        "dice read right": f"{100 * total.right / total.dice:.1f} %",
        "missed": total.missed,
        "wrong": total.wrong,
        "extra": total.extra,
        "undetected errors": f"{100 * total.silent / total.dice:.1f} %",
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
    """Read every picture under every condition, and report.

    Args:
        sets: Sets of pictures; all of them if none is named.
        only: Only the conditions whose name holds this.
        live: As live pictures are read, not as stills.
    """
    read, found = partial(Detector(model).detect, thorough=not live), []
    for condition in (one for one in CONDITIONS if only in one.name):
        found.append(row(condition, photos / "dev", sets, read))
        print(found[-1], flush=True)
    what = f"The pictures of {', '.join(sets) or 'all sets'}, read as {'live pictures' if live else 'stills'} are."
    figures.report("conditions", TITLE, ABOUT, what, found, keep=keep)


if __name__ == "__main__":
    run(main)
