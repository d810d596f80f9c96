#!/usr/bin/env python
"""How much worse dice are read when the picture is worse: dim, blurred, small, upside down.

    python -m scripts.conditions --photos DIR [--sets closeup,plush,empty] [--live] [--write]

Every labelled picture of `DIR/dev` is changed in one way at a time, read, and compared with the same truth. The same
pictures come out each time. `--write` puts the table into `docs/conditions.md`. Nothing here tunes anything.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.bench.vision import UNSEEN, Measured, measure
from scripts.card import with_section
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.dice.scoring import Tally

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "conditions.md"
TITLE = "Latest table"
Image = npt.NDArray[Any]
Boxes = npt.NDArray[np.float32]


def _same(xyxy: Boxes, height: int, width: int) -> Boxes:
    return xyxy


@dataclass(frozen=True, slots=True)
class Condition:
    """change: what happens to the picture; back: from boxes in the changed picture (of this height and width, pixels)
    to boxes in the one before."""

    name: str
    change: Callable[[Image], Image]
    back: Callable[[Boxes, int, int], Boxes] = _same


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


def upside_down(xyxy: Boxes, height: int, width: int) -> Boxes:
    return np.array([width, height, width, height], np.float32) - xyxy[:, [2, 3, 0, 1]]


def mirrored(xyxy: Boxes, height: int, width: int) -> Boxes:
    boxes = xyxy.copy()
    boxes[:, [0, 2]] = width - xyxy[:, [2, 0]]
    return boxes


def grey(image: Image) -> Image:
    return cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


CONDITIONS = (
    Condition("as taken", lambda image: image),
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


def rows(photos: Path, sets: set[str] | None, read: Callable[[Image], Detections]) -> Iterator[str]:
    """A line a condition, in Markdown."""
    yield "| the picture | dice read right | missed | wrong | extra | silently wrong | pictures right |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for condition in CONDITIONS:
        measured: list[Measured] = measure(photos, under(condition, read), sets)
        total = Tally.of([one.outcome for one in measured])
        right, silent = 100 * total.right / total.dice, 100 * total.silent / total.dice
        yield (
            f"| {condition.name} | {right:.1f} % | {total.missed} | {total.wrong} | {total.extra} | {silent:.1f} % "
            f"| {100 * total.complete / total.pictures:.1f} % |"
        )


def told(sets: str, live: bool, lines: Sequence[str]) -> str:
    """The page's section."""
    kind = "live pictures" if live else "stills"
    head = (
        f"Measured {date.today():%Y-%m-%d} by `python -m scripts.conditions`: the pictures of {sets}, changed in one "
        f"way at a time and read as {kind} are."
    )
    return "\n".join([head, "", *lines])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"), required=False)
    parser.add_argument("--sets", default=",".join(UNSEEN), help="sets of pictures, or all")
    parser.add_argument("--model", type=Path, default=ROOT / "models")
    parser.add_argument("--live", action="store_true", help="as live pictures are read, not as stills")
    parser.add_argument("--write", action="store_true", help="put the table into docs/conditions.md")
    chosen = parser.parse_args()
    if chosen.photos is None:
        parser.error("--photos DIR (or the environment variable COURTSIDE_PHOTOS) must name the labelled pictures")
    detector = Detector(chosen.model)
    sets = None if chosen.sets == "all" else set(chosen.sets.split(","))
    lines = []
    for line in rows(Path(chosen.photos) / "dev", sets, partial(detector.detect, thorough=not chosen.live)):
        print(line, flush=True)
        lines.append(line)
    if chosen.write:
        PAGE.write_text(with_section(PAGE, TITLE, told(chosen.sets, chosen.live, lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
