"""The reader's targets, row by row: false dice where none are, photos of known values, labelled dice by kind of source.

Photos without dice are split in two halves by the source or kind in their names, so that no source is on both sides:
one may be trained on, and figures come from the other.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np

from companion.bench.vision import UNSEEN, labelled, set_of, share, truth_of
from tests.kit.evaluation.as_film import Compared
from vision.dice.detections import Detections
from vision.dice.scoring import ASK, Outcome, compare
from vision.sources.files import PICTURES, read_picture
from vision.types import Image

HALVES = ("train", "held")
HALVING_BYTE = 5  # of a name's hash: it leaves dominoes, LEGO, keys and board games on both sides
ROWS = ("anything", "near", "domino", "numeral", "tables", "values", "unseen", "seen")
CONFIDENCES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0)  # borders of the rows of the reliability table
Reads = Callable[[Image], Detections]
Counts = TypeVar("Counts", "Picture", Compared)


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture, counted.

    Attributes:
        name: the file's name.
        row: one of `ROWS`.
        dice: how many there are.
        right, misread, missed: of these dice.
        undetected: misread dice with a confidence that no player is asked about.
        false: reported dice that are none.
        sure: false dice with such a confidence.
        exact: whether every die is right and nothing else is reported.
        said: of each reported die its confidence, and whether it is one with that value.
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
    said: Sequence[tuple[float, bool]] = ()


def half_of(path: Path) -> str:
    """The half, "train" or "held", of a picture without dice: by its repository in `near`, else by its own name."""
    source = path.name.split("__")[0] if path.parent.name == "near" else path.stem
    return HALVES[hashlib.sha256(source.encode()).digest()[HALVING_BYTE] % 2]


def without_dice(folder: Path, row: str, half: str = "") -> list[Path]:
    """The pictures of a row in `folder/nodice`; half: only those of one half."""
    kind = "near" if row == "domino" else row
    paths = sorted(p for p in (folder / "nodice" / kind).glob("*") if p.suffix.lower() in PICTURES)
    if kind == "near":
        paths = [p for p in paths if ("domino" in p.name.split("__")[0]) == (row == "domino")]
    return [p for p in paths if not half or half_of(p) == half]


def measure_targets(
    folder: Path, read: Reads, rows: Sequence[str] = ROWS, half: str = "held", known: Container[str] = ()
) -> Iterator[Picture]:
    """Reads the pictures of some rows, one after the other.

    Args:
        folder: holds `nodice/`, `values/` and `dev/`.
        read: reads a still, (H, W, 3) uint8 BGR.
        rows: which of `ROWS`.
        half: of the pictures without dice, "train", "held" or "" for both.
        known: names of pictures to leave out.
    """
    for row in rows:
        if row == "values":
            with (folder / "values" / "values.csv").open(encoding="utf-8", newline="") as file:
                values = {line["file"]: [int(word) for word in line["values"].split()] for line in csv.DictReader(file)}
            paths = [folder / "values" / name for name in values]
        elif row in ("unseen", "seen"):
            values = {}
            paths = [path for path in labelled(folder / "dev") if (set_of(path) in UNSEEN) == (row == "unseen")]
        else:
            paths = without_dice(folder, row, half)
            values = {path.name: [] for path in paths}
        for path in paths:
            if path.name not in known:
                image = read_picture(path)
                if path.name in values:
                    yield by_values(path.name, read(image), values[path.name], row)
                else:
                    yield by_boxes(path.name, row, compare(read(image), truth_of(path, image)))


def continued(file: Path, kind: type[Counts], measured: Callable[[Container[str]], Iterator[Counts]]) -> list[Counts]:
    """The pictures of a file, one JSON object a line, and those that `measured` adds to it: it is given the names that
    are there already. So a measurement that was stopped goes on where it stopped."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    pictures = [kind(**json.loads(line)) for line in lines]
    with file.open("a", encoding="utf-8") as out:
        for picture in measured({picture.name for picture in pictures}):
            print(json.dumps(asdict(picture)), file=out, flush=True)
            pictures.append(picture)
    return pictures


def by_values(name: str, seen: Detections, values: Sequence[int], row: str = "values") -> Picture:
    """Compares a picture with its values alone. A value too many beside one too few is taken for one misread die."""
    found, true = Counter(seen.faces.tolist()), Counter(values)
    too_many = found - true
    more, fewer = too_many.total(), (true - found).total()
    misread = min(more, fewer)
    sure = sum(
        int((np.sort(seen.confidences[seen.faces == value])[:count] >= ASK).sum()) for value, count in too_many.items()
    )
    undetected = min(sure, misread)
    said, left = [], true.copy()
    for at in np.argsort(-seen.confidences).tolist():
        value = int(seen.faces[at])
        said.append((round(float(seen.confidences[at]), 4), left[value] > 0))
        left[value] -= 1
    return Picture(
        name, row, len(values), (found & true).total(), misread, fewer - misread, undetected, more - misread,
        sure - undetected, found == true, said,
    )  # fmt: skip


def by_boxes(name: str, row: str, outcome: Outcome) -> Picture:
    """Counts a picture that was compared with its labels."""
    wrong, extra = len(outcome.wrong), [*outcome.extra]
    sure = int((outcome.seen.confidences[extra] >= ASK).sum())
    right = len(outcome.pairs) - wrong
    read = {s for t, s in outcome.pairs if outcome.truth.faces[t] == outcome.seen.faces[s]}
    said = [(round(float(chance), 4), at in read) for at, chance in enumerate(outcome.seen.confidences)]
    return Picture(
        name, row, len(outcome.truth.faces), right, wrong, len(outcome.missed), outcome.silent, len(extra), sure,
        outcome.complete, said,
    )  # fmt: skip


def targets_table(pictures: Sequence[Picture]) -> str:
    """One line a row, in Markdown: photos with any false die and with a sure one, photos exact, dice."""
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
    """Of what was said with so much confidence, how much was right, in Markdown: without and with the photos that show
    no dice, for dice of makers that training never saw."""
    unseen = [p for p in pictures if p.row in ("values", "unseen")]
    kinds = {"new makers": unseen, "with photos without dice": unseen + [p for p in pictures if not p.dice]}
    lines = [
        f"| confidence | {' | '.join(f'{kind}: said | mean | right' for kind in kinds)} |",
        "|---|" + "---:|---:|---|" * len(kinds),
    ]
    for low, high in (*pairwise(CONFIDENCES), (ASK, 1.0)):
        cells = []
        for some in kinds.values():
            chances = [(c, right) for p in some for c, right in p.said if low <= c < high or c == high == 1]
            mean = f"{np.mean([c for c, _ in chances]):.3f}" if chances else "–"
            cells += [
                str(len(chances)),
                mean,
                share(sum(right for _, right in chances), len(chances)) if chances else "–",
            ]
        lines.append(f"| {low:g}–{high:g} | {' | '.join(cells)} |")
    return "\n".join(lines)
