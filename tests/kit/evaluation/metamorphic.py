"""The same photo, the same answer: photos read again smaller, mirrored, lighter and darker. No labels are needed.

`python scripts/evaluate.py --metamorphic` reads every photo as it is and at six further sizes, down to one at which its
middle die is 24 pixels wide, then mirrored, a tenth lighter and a tenth darker, and counts in how many dice each
answer equals the first. A die seen in one of the two alone is unequal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator
from pathlib import Path

import numpy as np

from companion.bench.vision import labelled, set_of, share
from tests.kit.degrade import Change, lit
from vision.dice.detections import Detections
from vision.dice.scoring import Truth, compare
from vision.sources.files import read_picture
from vision.types import Image

SMALLEST = 24.0  # pixels: the longer side of a picture's middle die at the smallest of its sizes
SIZES = 7  # the photo's own among them, evenly spaced by ratio
LIGHTER, DARKER = 1.1, 0.9

Read = Callable[[Image], Detections]


def changes(image: Image, seen: Detections) -> Iterator[Change]:
    """What a photo in which this was seen is read again as."""
    sides = (seen.xyxy[:, 2:] - seen.xyxy[:, :2]).max(axis=1)
    least = min(1.0, SMALLEST / float(np.median(sides))) if len(sides) else 0.5
    height, width = image.shape[:2]
    for step in range(1, SIZES):
        size = tuple(max(1, round(side * least ** (step / (SIZES - 1)))) for side in (width, height))
        if size != (width, height):
            yield Change(f"size {step + 1} of {SIZES}", scale=(size[0] / width, size[1] / height))
    yield Change("mirrored", flip=1)
    yield Change("a tenth lighter", lambda picture: lit(picture, LIGHTER))
    yield Change("a tenth darker", lambda picture: lit(picture, DARKER))


def equal(one: Detections, other: Detections) -> tuple[int, int]:
    """How many dice were read equally, of how many that one of the two saw."""
    outcome = compare(other, Truth(one.xyxy, one.faces))
    both = len(outcome.pairs)
    return both - len(outcome.wrong), both + len(outcome.missed) + len(outcome.extra)


def measured(folder: Path, read: Read, sets: Container[str] | None = None) -> dict[str, tuple[int, int]]:
    """For each way of changing the photos of a folder: dice read equally, and how many there were."""
    right, whole = Counter[str](), Counter[str]()
    for path in labelled(folder):
        if sets is not None and set_of(path) not in sets:
            continue
        image = read_picture(path)
        first = read(image)
        for change in changes(image, first):
            alike, dice = equal(first, change.back(read(change.of(image)), image))
            right[change.name] += alike
            whole[change.name] += dice
    return {name: (right[name], whole[name]) for name in whole}


def told(found: dict[str, tuple[int, int]]) -> str:
    """As a table in Markdown."""
    lines = ["| the photo | dice | read as in the photo |", "|---|---:|---|"]
    total = tuple(sum(counts[i] for counts in found.values()) for i in (0, 1))
    for name, (right, whole) in [*found.items(), ("**all**", total)]:
        lines.append(f"| {name} | {whole} | {share(right, whole, 2)} |")
    return "\n".join(lines)
