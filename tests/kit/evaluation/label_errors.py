"""A list of label errors in the development photos, and results corrected for them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.kit.evaluation.photos import Measured
from tests.kit.evaluation.scoring import Truth, compare
from vision.dice.detections import Detections, chosen


@dataclass(frozen=True, slots=True)
class LabelError:
    """A die with a wrong or missing label.

    Attributes:
        file: File name of the photo.
        box: Left, top, right, bottom in pixels.
        shows: The true value; None if illegible.
        unlabelled: The label is missing. Otherwise it has a wrong value or covers a part of the die, such as its pips.
    """

    file: str
    box: tuple[float, float, float, float]
    shows: int | None
    unlabelled: bool

    def is_at(self, xyxy: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Whether the centre of each (n, 4) box is inside this one."""
        middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
        return np.asarray(((middle >= self.box[:2]) & (middle <= self.box[2:])).all(axis=1))


def label_errors(path: Path) -> list[LabelError]:
    """Reads the list.

    Raises:
        ValueError: A line is damaged; the message names it.
    """
    found = []
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                left, top, right, bottom = (float(row[side]) for side in ("left", "top", "right", "bottom"))
                shows = None if row["shows"] == "unclear" else int(row["shows"])
                found.append(LabelError(row["file"], (left, top, right, bottom), shows, row["labelled"] == "none"))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, line {number}, is damaged: {row}") from error
    return found


def corrected(measured: Sequence[Measured], errors: Sequence[LabelError]) -> list[Measured]:
    """The same photos compared with corrected labels. Illegible dice count neither as missed nor as false."""
    result = []
    for one in measured:
        truth, seen = one.outcome.truth, one.outcome.seen
        for error in errors:
            if error.file == one.path.name:
                truth, seen = _corrected(truth, seen, error)
        result.append(replace(one, outcome=compare(seen, truth)))
    return result


def _corrected(truth: Truth, seen: Detections, error: LabelError) -> tuple[Truth, Detections]:
    there = error.is_at(truth.xyxy)
    box = np.array([error.box], np.float32)
    if not error.unlabelled:
        whole = np.where(there[:, None], box, truth.xyxy)
        return Truth(whole, np.where(there, error.shows or 0, truth.faces)), seen
    if error.shows is None:
        return truth, chosen(seen, ~error.is_at(seen.xyxy))
    return Truth(np.concatenate([truth.xyxy, box]), np.append(truth.faces, error.shows)), seen
