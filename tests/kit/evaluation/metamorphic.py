"""Metamorphic test: photos are read again smaller, mirrored, lighter and darker. No labels are needed.

`python -m scripts.evaluate --metamorphic` reads every photo as it is and at six further sizes, down to one at which its
median die is 24 pixels wide; then mirrored, a tenth lighter and a tenth darker. It counts the dice that are read as in
the original. A die found in only one of the two images counts as unequal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator
from pathlib import Path

import numpy as np

from tests.kit.degrade import Degradation, lit
from tests.kit.evaluation.photos import labelled, set_of, share
from tests.kit.evaluation.scoring import Truth, compare
from vision.dice.detections import Detections
from vision.sources.files import read_picture
from vision.types import Image

SMALLEST = 24.0  # pixels: longer side of the median die at the smallest size
SIZES = 7  # number of sizes, including the original; the ratio between them is constant
LIGHTER, DARKER = 1.1, 0.9

Read = Callable[[Image], Detections]


def changes(image: Image, seen: Detections) -> Iterator[Degradation]:
    """The changed copies of a photo in which these dice were seen."""
    sides = (seen.xyxy[:, 2:] - seen.xyxy[:, :2]).max(axis=1)
    least = min(1.0, SMALLEST / float(np.median(sides))) if len(sides) else 0.5
    height, width = image.shape[:2]
    for step in range(1, SIZES):
        size = tuple(max(1, round(side * least ** (step / (SIZES - 1)))) for side in (width, height))
        if size != (width, height):
            yield Degradation(f"size {step + 1} of {SIZES}", scale=(size[0] / width, size[1] / height))
    yield Degradation("mirrored", flip=1)
    yield Degradation("a tenth lighter", lambda picture: lit(picture, LIGHTER))
    yield Degradation("a tenth darker", lambda picture: lit(picture, DARKER))


def equal(one: Detections, other: Detections) -> tuple[int, int]:
    """Number of dice that were read equally, and number of dice found in either result."""
    outcome = compare(other, Truth(one.xyxy, one.faces))
    both = len(outcome.pairs)
    return both - len(outcome.wrong), both + len(outcome.missed) + len(outcome.extra)


def measured(folder: Path, read: Read, sets: Container[str] | None = None) -> dict[str, tuple[int, int]]:
    """For each kind of change, over the photos of a folder: dice read equally, and all dice."""
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


def equality_table(found: dict[str, tuple[int, int]]) -> str:
    """The result as a table in Markdown."""
    lines = ["| the photo | dice | read as in the photo |", "|---|---:|---|"]
    total = tuple(sum(counts[i] for counts in found.values()) for i in (0, 1))
    for name, (right, whole) in [*found.items(), ("**all**", total)]:
        lines.append(f"| {name} | {whole} | {share(right, whole, 2)} |")
    return "\n".join(lines)
