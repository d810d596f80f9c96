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
from tests.kit.drawn.photos import picture_files, read_labels
from tests.kit.phone import PAGES, on_it, with_phone
from vision.types import Image

SETS = {"plush": 10, "laptop": 8, "desk": 6}  # photos of each: from near, from above, of a table full of things


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


if __name__ == "__main__":
    main()
