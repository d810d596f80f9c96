"""The result of the detector for one image, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

from vision.types import Box

Float = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Dice found in one image, one row for each die, in no particular order. The arrays are read-only.

    Attributes:
        xyxy: (n, 4) float32, boxes as left, top, right, bottom in pixels; the origin is the top left corner.
        probabilities: (n, 6) float32, calibrated probabilities of the top faces 1..6; rows sum to 1.
        scores: (n,) float32 in 0..1, probability that the box holds a die.
        passes: (n,) float32, number of passes averaged in `probabilities`. 1 by default, 0 for a die that was not read
            again because nothing changed there.
        ink: (n,) float32 in 0..1, probability that the die is printed, from its surroundings. 0 by default.

    Raises:
        ValueError: Shapes disagree or a number is not finite.
    """

    xyxy: Float
    probabilities: Float
    scores: Float
    passes: Float = field(default_factory=lambda: np.ones((), np.float32))
    ink: Float = field(default_factory=lambda: np.zeros((), np.float32))

    def __post_init__(self) -> None:
        n = len(self.scores)
        for name, columns in {"xyxy": (4,), "probabilities": (6,), "scores": (), "passes": (), "ink": ()}.items():
            shape = (n, *columns)
            array = np.array(getattr(self, name), dtype=np.float32)  # A copy, so that the caller's array stays writable
            if array.ndim == 0:  # the column was omitted: fill it with its default
                array = np.full(n, array)
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} holds a number that is not finite")
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def none(cls) -> Detections:
        """No dice."""
        return cls(np.zeros((0, 4), np.float32), np.zeros((0, 6), np.float32), np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def faces(self) -> npt.NDArray[np.int64]:
        """(n,) the likeliest top face 1..6 of each die."""
        return np.asarray(self.probabilities.argmax(axis=1) + 1, dtype=np.int64)

    @property
    def confidences(self) -> Float:
        """(n,) the probability of the likeliest face."""
        return np.asarray(self.probabilities.max(axis=1, initial=0.0), dtype=np.float32)

    @property
    def legible(self) -> Float:
        """(n,) the probability of a die times that of its likeliest face."""
        return self.scores * self.confidences

    @property
    def quality(self) -> float:
        """Sum over the dice of 2 · legibility − 1, at least 0 for each: how much a refined pass can be trusted."""
        return float((2 * self.legible - 1).clip(0).sum())


def chosen(detections: Detections, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Detections:
    """The rows selected by a mask or by row numbers, in that order."""
    if rows.dtype == np.bool_ and rows.all():
        return detections
    return Detections(*(getattr(detections, column.name)[rows] for column in fields(Detections)))


def joined(one: Detections, other: Detections) -> Detections:
    """The rows of `one`, followed by those of `other`."""
    if not len(one) or not len(other):
        return one if len(one) else other
    columns = (column.name for column in fields(Detections))
    return Detections(*(np.concatenate([getattr(one, name), getattr(other, name)]) for name in columns))


def kept_as_it_is(boxes: Sequence[Sequence[float]], probabilities: Sequence[Sequence[float]]) -> Detections:
    """Rows for unchanged dice whose readings are carried over (`passes` is 0)."""
    n = len(boxes)
    chances = np.array(probabilities, np.float32).reshape(n, 6)
    return Detections(
        np.array(boxes, np.float32).reshape(n, 4), chances, np.ones(n, np.float32), np.zeros(n, np.float32)
    )


def boxes_of(found: Detections) -> list[Box]:
    """The boxes of the detections as tuples."""
    return [tuple(map(float, box)) for box in found.xyxy]  # type: ignore[misc]
