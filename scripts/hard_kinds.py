"""Six kinds of dice, and of what is none, that readers have failed at: `python -m scripts.hard_kinds --photos DIR`.

Prints a row for each: how many of its dice are read right, how many it sees where none lie, how many it misreads
without a doubt. Everything is read as a still. Where real photos are rare, unseen ones are enlarged or things drawn;
nothing was taught what is drawn here.
"""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.bench.second_dev import LIST, listed, put_aside
from companion.bench.vision import labelled, set_of, share, truth_of
from companion.resources import resource
from scripts.simulation.drawn.photos import load_crops
from scripts.simulation.hard_kinds import keyboard, red_ones
from vision.dice.detector import Detector
from vision.dice.scoring import Outcome, Truth, compare
from vision.sources.jpeg import decode
from vision.types import Image

UNSEEN = ("closeup", "plush")  # sources no network was taught
LARGER = 3.0  # times a photo of 1,280 pixels: 12 megapixels
DRAWN = 60  # pictures of a kind
Pictures = Iterable[tuple[Image, Truth]]


def main() -> None:
    """Read and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder with dev, train and crops")
    parser.add_argument("--only", default="", help="the kinds that begin so, such as 2")
    wanted = parser.parse_args()
    photos, dev = wanted.photos, wanted.photos / "dev"
    detector = Detector(resource("models"))
    kinds: dict[str, Pictures] = {
        "1 translucent, marbled: `crops` put aside, in their middle": _crops(photos / "crops"),
        "2 very large: unseen sources at 12 megapixels": _larger(_photos(dev, UNSEEN)),
        "3 plain, in the open: unseen sources as they are": _photos(dev, UNSEEN),
        "4 lit keys, drawn": ((keyboard(seed), _nothing()) for seed in range(100, 100 + DRAWN)),
        "4 laptop, cables, dice: `laptop` of dev": _photos(dev, ("laptop",)),
        "5 a large red pip, drawn": red_ones(range(100, 100 + DRAWN)),
        "5 red ones and fours: `plush`": _photos(dev, ("plush",)),
        "6 heaps: `pxl` of dev": _photos(dev, ("pxl",)),
        "6 heaps: `pxl` of the second dev": _photos(photos / "train", ("pxl",), listed(LIST)),
    }
    print("| kind | pictures | dice | read right | seen where none lie | misread without a doubt |")
    print("|---|---:|---:|---|---:|---:|")
    for kind, pictures in kinds.items():
        if not kind.startswith(wanted.only):
            continue
        outcomes = [compare(detector.detect(image, thorough=True), truth) for image, truth in pictures]
        print(f"| {kind} | {_row(outcomes)} |", flush=True)


def _row(outcomes: list[Outcome]) -> str:
    dice = sum(len(one.truth.faces) for one in outcomes)
    right = sum(len(one.pairs) - len(one.wrong) for one in outcomes)
    extra, silent = sum(len(one.extra) for one in outcomes), sum(one.silent for one in outcomes)
    return f"{len(outcomes)} | {dice} | {share(right, dice) if dice else '–'} | {extra} | {silent}"


def _photos(folder: Path, sets: Iterable[str], names: Container[str] | None = None) -> Iterator[tuple[Image, Truth]]:
    for path in labelled(folder):
        if set_of(path) in sets and (names is None or path.name in names):
            image = decode(path.read_bytes(), str(path))
            yield image, truth_of(path, image)


def _larger(pictures: Pictures) -> Iterator[tuple[Image, Truth]]:
    for image, truth in pictures:
        large = cv2.resize(image, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC)
        yield np.asarray(large, np.uint8), replace(truth, xyxy=truth.xyxy * np.float32(LARGER))


def _crops(folder: Path) -> Iterator[tuple[Image, Truth]]:
    """Looks at one die each, with a rim like the felt around it."""
    for crop in load_crops(folder):
        if put_aside(crop.name):
            rim = max(crop.image.shape[:2])
            image = cv2.copyMakeBorder(crop.image, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
            yield np.asarray(image, np.uint8), Truth(crop.xyxy + np.float32(rim), crop.faces.astype(np.int64))


def _nothing() -> Truth:
    return Truth(np.zeros((0, 4), np.float32), np.zeros(0, np.int64))


if __name__ == "__main__":
    main()
