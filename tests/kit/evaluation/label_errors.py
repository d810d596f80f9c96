"""Errors found in the labels of the development photos, kept in a list, and what a result is without them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.bench.vision import Measured
from vision.dice.detections import Detections, chosen
from vision.dice.scoring import Truth, compare


@dataclass(frozen=True, slots=True)
class LabelError:
    """One die: its picture's file name, where it lies (left, top, right, bottom, pixels), what it shows.

    shows: None if illegible; unlabelled: the label is missing, else it names another value or holds a part of
    the die, such as its top pips alone.
    """

    file: str
    box: tuple[float, float, float, float]
    shows: int | None
    unlabelled: bool

    def is_at(self, xyxy: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Which of the boxes (n, 4) have their middle in it."""
        middle = (xyxy[:, :2] + xyxy[:, 2:]) / 2
        return np.asarray(((middle >= self.box[:2]) & (middle <= self.box[2:])).all(axis=1))


def label_errors(path: Path) -> list[LabelError]:
    """The list. Raises ValueError naming the line that is damaged."""
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
    """The same pictures compared with corrected labels; an illegible die is neither asked for nor held against."""
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
