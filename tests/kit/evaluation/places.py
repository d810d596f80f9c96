"""Results by position in the photo, because a wide-angle camera sees different sides of dice at different positions.

Seen obliquely, the face nearest to the upper edge of the photo is the top. Seen from straight above, a die low in the
photo shows the side that faces the middle above its top face, and that side may be read instead.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.kit.evaluation.counts import shuffled
from tests.kit.evaluation.photos import labelled, set_of, share, truth_of
from tests.kit.evaluation.scoring import ASK, Outcome, compare
from vision.dice.detections import Detections
from vision.sources.files import read_picture
from vision.types import Image

THIRDS = ("upper third", "middle third", "lower third")
FROM_ABOVE = "vegas"  # the set of photos from straight above, with a wide angle


@dataclass(frozen=True, slots=True)
class Placed:
    """The counts for one photo.

    Attributes:
        name: File name.
        thirds: For each of `THIRDS` the number of dice, of those read right, misread, and misread without a question.
    """

    name: str
    thirds: Sequence[Sequence[int]]


def placed(name: str, outcome: Outcome, height: int) -> Placed:
    """Counts the dice of a photo by their place. height: of the photo, pixels."""
    counts = np.zeros((len(THIRDS), 4), np.int64)
    middles = outcome.truth.xyxy[:, [1, 3]].mean(axis=1) / height
    third = np.minimum((middles * len(THIRDS)).astype(int), len(THIRDS) - 1)
    np.add.at(counts[:, 0], third, 1)
    wrong = set(outcome.wrong)
    for pair in outcome.pairs:
        row = counts[third[pair[0]]]
        row[1] += pair not in wrong
        row[2] += pair in wrong
        row[3] += pair in wrong and outcome.seen.confidences[pair[1]] >= ASK
    return Placed(name, counts.tolist())


def measure_from_above(
    folder: Path, read: Callable[[Image], Detections], known: Container[str] = ()
) -> Iterator[Placed]:
    """Reads the wide-angle photos of `folder/train`, without those already in `known`."""
    for path in shuffled(path for path in labelled(folder / "train") if set_of(path) == FROM_ABOVE):
        if path.name not in known:
            image = read_picture(path)
            yield placed(path.name, compare(read(image), truth_of(path, image)), len(image))


def places_table(photos: Sequence[Placed]) -> str:
    """One line for each third of the photos, in Markdown."""
    counts = np.sum([one.thirds for one in photos], axis=0, dtype=np.int64).reshape(-1, 4)
    lines = ["| place | dice | read right | misread | undetected |", "|---|---:|---|---:|---|"]
    for name, (dice, right, misread, undetected) in zip(THIRDS, counts.tolist(), strict=False):
        lines.append(f"| {name} | {dice} | {share(right, dice)} | {misread} | {share(undetected, dice)} |")
    return "\n".join(lines)
