"""Measures six kinds of dice and look-alikes on which readers have failed: `python -m scripts.hard_kinds --photos DIR`.

It prints a row for each: dice read right, false dice, undetected errors. All images are read as photos. Where real
photos are rare, unseen ones are enlarged, or objects are drawn that are not in the training data.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.resources import resource
from tests.kit.drawn.photos import load_crops
from tests.kit.evaluation.holdout import LIST, in_holdout, read_list
from tests.kit.evaluation.photos import measure, share
from tests.kit.evaluation.scoring import Outcome, Truth, compare
from tests.kit.hard_kinds import keyboard, red_ones
from tests.kit.options import run
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.types import Image

UNSEEN = ("closeup", "plush")  # sources that are not in the training data
LARGER = 3.0  # enlargement of a photo of 1,280 pixels: 12 megapixels
DRAWN = range(100, 160)  # seeds
NOTHING = Truth(np.zeros((0, 4), np.float32), np.zeros(0, np.int64))
Reads = Callable[[Image], Detections]
Outcomes = Callable[[], Iterable[Outcome]]


def main(photos: Path, only: str = "") -> None:
    """Reads and prints.

    Args:
        photos: Folder with dev, train and crops.
        only: Only kinds whose name starts with this, such as 2.
    """
    print("| kind | pictures | dice | read right | seen where none lie | misread without a doubt |")
    print("|---|---:|---:|---|---:|---:|")
    for kind, read in kinds(photos, Detector(resource("models"))).items():
        if kind.startswith(only):
            print(f"| {kind} | {_row(list(read()))} |", flush=True)


def kinds(photos: Path, detector: Detector) -> dict[str, Outcomes]:
    """The outcomes of each kind's images, by name."""
    dev = photos / "dev"

    def still(image: Image) -> Detections:
        return detector.detect(image, thorough=True)

    def larger(image: Image) -> Detections:
        seen = still(np.asarray(cv2.resize(image, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC), np.uint8))
        return replace(seen, xyxy=seen.xyxy / np.float32(LARGER))

    def photographed(folder: Path, *sets: str, read: Reads = still, names: Container[str] | None = None) -> Outcomes:
        return lambda: (one.outcome for one in measure(folder, read, sets, names))

    def shown(pictures: Iterable[tuple[Image, Truth]]) -> Outcomes:
        return lambda: (compare(still(image), truth) for image, truth in pictures)

    return {
        "1 translucent, marbled: `crops` put aside, in their middle": shown(_crops(photos / "crops")),
        "2 very large: unseen sources at 12 megapixels": photographed(dev, *UNSEEN, read=larger),
        "3 plain, in the open: unseen sources as they are": photographed(dev, *UNSEEN),
        "4 lit keys, drawn": shown((keyboard(seed), NOTHING) for seed in DRAWN),
        "4 laptop, cables, dice: `laptop` of dev": photographed(dev, "laptop"),
        "5 a large red pip, drawn": shown(red_ones(DRAWN)),
        "5 red ones and fours: `plush`": photographed(dev, "plush"),
        "6 heaps: `pxl` of dev": photographed(dev, "pxl"),
        "6 heaps: `pxl` of the second dev": photographed(photos / "train", "pxl", names=read_list(LIST)),
    }


def _row(outcomes: Sequence[Outcome]) -> str:
    dice = sum(len(one.truth.faces) for one in outcomes)
    right = sum(len(one.pairs) - len(one.wrong) for one in outcomes)
    extra, undetected = sum(len(one.extra) for one in outcomes), sum(one.undetected for one in outcomes)
    return f"{len(outcomes)} | {dice} | {share(right, dice) if dice else '–'} | {extra} | {undetected}"


def _crops(folder: Path) -> Iterator[tuple[Image, Truth]]:
    """Crops of one die each, with a border like the felt around it."""
    for crop in load_crops(folder):
        if in_holdout(crop.name):
            rim = max(crop.image.shape[:2])
            image = cv2.copyMakeBorder(crop.image, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
            yield np.asarray(image, np.uint8), Truth(crop.xyxy + np.float32(rim), crop.faces.astype(np.int64))


if __name__ == "__main__":
    run(main)
