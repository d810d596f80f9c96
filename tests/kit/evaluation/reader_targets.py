"""The reader's targets: false dice in photos without dice, photos of known values, labelled dice by kind of source.

Photos without dice are split into two halves by the source or kind in their names, so that no source is in both. One
half may be used for training; figures come from the other.
"""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from tests.kit.evaluation.counts import shuffled
from tests.kit.evaluation.photos import UNSEEN, labelled, set_of, share, truth_of
from tests.kit.evaluation.scoring import ASK, Outcome, compare
from vision.dice.detections import Detections
from vision.sources.files import PICTURES, read_picture
from vision.types import Image

HALVES = ("train", "held")
HALVING_BYTE = 5  # byte of a name's hash; chosen so that both halves have dominoes, LEGO, keys and board games
ROWS = ("anything", "near", "domino", "numeral", "tables", "values", "unseen", "seen")
CONFIDENCES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0)  # bounds of the rows of the reliability table
Reads = Callable[[Image], Detections]


@dataclass(frozen=True, slots=True)
class Picture:
    """The counts for one photo.

    Attributes:
        name: File name.
        row: One of `ROWS`.
        dice: Number of dice.
        right, misread, missed: Counts of these dice.
        undetected: Misread dice too confident for a question.
        false: Reported dice that are none.
        sure: False dice too confident for a question.
        exact: Every die is right and nothing else is reported.
        reported: Of each reported die its confidence, and whether it is correct.
    """

    name: str
    row: str
    dice: int
    right: int
    misread: int
    missed: int
    undetected: int
    false: int
    sure: int
    exact: bool
    reported: Sequence[tuple[float, bool]] = ()


def half_of(path: Path) -> str:
    """The half, "train" or "held", of a photo without dice: by its repository if it is in `near`, else by its name."""
    source = path.name.split("__")[0] if path.parent.name == "near" else path.stem
    return HALVES[hashlib.sha256(source.encode()).digest()[HALVING_BYTE] % 2]


def without_dice(folder: Path, row: str, half: str = "") -> list[Path]:
    """The photos of a row in `folder/nodice`; half: only those of one half."""
    kind = "near" if row == "domino" else row
    paths = sorted(p for p in (folder / "nodice" / kind).glob("*") if p.suffix.lower() in PICTURES)
    if kind == "near":
        paths = [p for p in paths if ("domino" in p.name.split("__")[0]) == (row == "domino")]
    return [p for p in paths if not half or half_of(p) == half]


def measure_targets(
    folder: Path, read: Reads, rows: Sequence[str] = ROWS, half: str = "held", known: Container[str] = ()
) -> Iterator[Picture]:
    """Reads the photos of some rows.

    Args:
        folder: Holds `nodice/`, `values/` and `dev/`.
        read: Reads a still, (H, W, 3) uint8 BGR.
        rows: Some of `ROWS`.
        half: Of the photos without dice, "train", "held" or "" for both.
        known: Names of photos to skip.
    """
    with (folder / "values" / "values.csv").open(encoding="utf-8", newline="") as file:
        values = {line["file"]: [int(word) for word in line["values"].split()] for line in csv.DictReader(file)}
    row_of = {path: row for row in rows for path in _photos(folder, row, half, values)}
    for path in shuffled(row_of):
        if path.name in known:
            continue
        row, image = row_of[path], read_picture(path)
        if row in ("unseen", "seen"):
            yield by_boxes(path.name, row, compare(read(image), truth_of(path, image)))
        else:
            yield by_values(path.name, read(image), values[path.name] if row == "values" else (), row)


def _photos(folder: Path, row: str, half: str, values: Iterable[str]) -> list[Path]:
    """The photos of a row. values: the names of those in `values/`."""
    if row == "values":
        return [folder / "values" / name for name in values]
    if row in ("unseen", "seen"):
        return [path for path in labelled(folder / "dev") if (set_of(path) in UNSEEN) == (row == "unseen")]
    return without_dice(folder, row, half)


def by_values(name: str, seen: Detections, values: Sequence[int], row: str = "values") -> Picture:
    """Compares a photo with its values only. An extra value and a missing one count as one misread die."""
    found, true = Counter(seen.faces.tolist()), Counter(values)
    too_many = found - true
    more, fewer = too_many.total(), (true - found).total()
    misread = min(more, fewer)
    sure = sum(
        int((np.sort(seen.confidences[seen.faces == value])[:count] >= ASK).sum()) for value, count in too_many.items()
    )
    undetected = min(sure, misread)
    reported, left = [], true.copy()
    for at in np.argsort(-seen.confidences).tolist():
        value = int(seen.faces[at])
        reported.append((round(float(seen.confidences[at]), 4), left[value] > 0))
        left[value] -= 1
    return Picture(
        name, row, len(values), (found & true).total(), misread, fewer - misread, undetected, more - misread,
        sure - undetected, found == true, reported,
    )  # fmt: skip


def by_boxes(name: str, row: str, outcome: Outcome) -> Picture:
    """Counts a photo that was compared with its labels."""
    wrong, extra = len(outcome.wrong), [*outcome.extra]
    sure = int((outcome.seen.confidences[extra] >= ASK).sum())
    right = len(outcome.pairs) - wrong
    read = {s for t, s in outcome.pairs if outcome.truth.faces[t] == outcome.seen.faces[s]}
    reported = [(round(float(chance), 4), at in read) for at, chance in enumerate(outcome.seen.confidences)]
    return Picture(
        name, row, len(outcome.truth.faces), right, wrong, len(outcome.missed), outcome.undetected, len(extra), sure,
        outcome.complete, reported,
    )  # fmt: skip


def targets_table(pictures: Sequence[Picture]) -> str:
    """One line per row, in Markdown: photos with any false die and with a sure one, exact photos, dice."""
    lines = [
        "| row | photos | with a false die | with a sure one | exact | dice | right | misread | missed | undetected |",
        "|---|---:|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in ROWS:
        some = [p for p in pictures if p.row == row]
        if not some:
            continue
        n = len(some)
        counts = [sum(getattr(p, name) for p in some) for name in ("dice", "right", "misread", "missed", "undetected")]
        lines.append(
            f"| {row} | {n} | {share(sum(p.false > 0 for p in some), n)} | {share(sum(p.sure > 0 for p in some), n)} |"
            f" {sum(p.exact for p in some)} | {' | '.join(map(str, counts))} |"
        )
    return "\n".join(lines)


def reliability_table(pictures: Sequence[Picture]) -> str:
    """Share of correct dice by confidence, in Markdown: without and with the photos without dice, for dice of makers
    not in the training data."""
    unseen = [p for p in pictures if p.row in ("values", "unseen")]
    kinds = {"new makers": unseen, "with photos without dice": unseen + [p for p in pictures if not p.dice]}
    lines = [
        f"| confidence | {' | '.join(f'{kind}: dice | mean | right' for kind in kinds)} |",
        "|---|" + "---:|---:|---|" * len(kinds),
    ]
    for low, high in (*pairwise(CONFIDENCES), (ASK, 1.0)):
        cells = []
        for some in kinds.values():
            chances = [(c, right) for p in some for c, right in p.reported if low <= c < high or c == high == 1]
            mean = f"{np.mean([c for c, _ in chances]):.3f}" if chances else "–"
            cells += [
                str(len(chances)),
                mean,
                share(sum(right for _, right in chances), len(chances)) if chances else "–",
            ]
        lines.append(f"| {low:g}–{high:g} | {' | '.join(cells)} |")
    return "\n".join(lines)
