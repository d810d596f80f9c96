#!/usr/bin/env python
"""Are the dice that our own page draws taken for dice, on a phone that lies on the table?

    python -m scripts.screens_on_photos --photos DIR [--pages FILE…] [--seed N] [--worst FILE]

Pictures of the pages (`docs/screenshots`, as `scripts/screenshots.py` takes them) are laid, as large as a phone beside
the dice, half of them along the picture's sides, upon labelled photos of `DIR/dev`, and read as stills and as live
pictures are. Printed: how many dice are seen on the screens, and in how many of the pictures. `--worst` writes the
pictures with most of them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from companion.commands.print_readings import load_detector
from scripts.simulation.drawn.photos import picture_files, read_labels
from vision.dice.detections import Detections
from vision.types import Image

SCREENS = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
PAGES = SCREENS / "table-phone.webp", SCREENS / "player.webp"  # what players look at on their phones
SETS = {"plush": 10, "laptop": 8, "desk": 6}  # photos of each: from near, from above, of a table full of things
PHONE_MM, DIE_MM = (71.0, 147.0), 16.0  # a phone of six inches, a usual die
EDGE_MM = 2.0  # of the phone around its screen
WIDEST = 0.45  # of the picture that a phone may fill: one beside very large dice is held nearer than they


def main() -> None:
    """Lay them down, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"), metavar="DIR")
    parser.add_argument("--pages", type=Path, nargs="+", default=PAGES, metavar="FILE", help="pictures of other pages")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worst", type=Path, metavar="FILE", help="four pictures with the most dice on screens")
    wanted = parser.parse_args()
    if wanted.photos is None:
        parser.error("--photos DIR (or the environment variable COURTSIDE_PHOTOS) must name the labelled pictures")
    detector, seen = load_detector(), list[tuple[int, int, Image]]()
    for picture, screen in laid(wanted.photos / "dev", wanted.pages, np.random.default_rng(wanted.seed)):
        stills, live = (on_it(detector.detect(picture, thorough=thorough), screen) for thorough in (True, False))
        seen.append((stills, live, picture))
    for name, counts in (("stills", [one[0] for one in seen]), ("live", [one[1] for one in seen])):
        print(f"{name}: {sum(counts)} dice on screens, in {sum(map(bool, counts))} of {len(counts)} pictures")
    if wanted.worst:
        worst = sorted(seen, key=lambda one: -one[0] - one[1])[:4]
        cv2.imwrite(str(wanted.worst), np.hstack([cv2.resize(one[2], (640, 640)) for one in worst]))


def laid(folder: Path, pages: Sequence[Path], chance: Generator) -> Iterator[tuple[Image, Image]]:
    """Photos with a phone upon them, and where that lies: (H, W), 255 on it."""
    for name, count in SETS.items():
        for number, file in enumerate([one for one in picture_files(folder) if one.stem.startswith(name)][:count]):
            photo = cv2.imread(str(file))
            assert photo is not None, f"{file} cannot be read"
            boxes, _ = read_labels(file, photo.shape[1], photo.shape[0])
            if len(boxes):
                die = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(axis=1)))
                yield with_phone(np.asarray(photo, np.uint8), pages[number % len(pages)], die, chance)


def with_phone(photo: Image, page: Path, die: float, chance: Generator) -> tuple[Image, Image]:
    """A phone that shows this page laid upon the photo; die: pixels of one beside it."""
    height, width = photo.shape[:2]
    mm = min(die / DIE_MM, WIDEST * width / PHONE_MM[0])
    shot = cv2.imread(str(page))
    assert shot is not None, f"{page} cannot be read"
    size = round(PHONE_MM[0] * mm), round(PHONE_MM[1] * mm)
    shown = shot[: round(shot.shape[1] * size[1] / size[0])]
    screen = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)
    edge = max(2, round(EDGE_MM * mm))
    phone = cv2.copyMakeBorder(screen, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(15, 15, 15))
    middle = phone.shape[1] / 2, phone.shape[0] / 2
    turn = float(chance.choice([0, 90, 180, 270]) if chance.random() < 0.5 else chance.uniform(-180, 180))
    matrix = cv2.getRotationMatrix2D(middle, turn, 1.0)
    at = chance.uniform(0.3, 0.7, 2) * (width, height)
    matrix[:, 2] += at - middle
    there = cv2.warpAffine(np.full(phone.shape[:2], 255, np.uint8), matrix, (width, height))
    glow = float(chance.uniform(0.8, 1.0))
    lies = cv2.convertScaleAbs(cv2.warpAffine(phone, matrix, (width, height)), alpha=glow)
    picture = np.where(there[..., None] > 127, lies, photo).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), np.asarray(there, np.uint8)


def on_it(found: Detections, there: Image) -> int:
    """How many of these have their middle on the phone."""
    middles = ((found.xyxy[:, :2] + found.xyxy[:, 2:]) / 2).astype(int)
    rows = np.clip(middles[:, 1], 0, there.shape[0] - 1), np.clip(middles[:, 0], 0, there.shape[1] - 1)
    return int((there[rows] > 127).sum())


if __name__ == "__main__":
    main()
