"""What the detector saw in one picture, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

from vision.types import Box

Float = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Dice found in one picture, one row a die, in no particular order.

    xyxy: (n, 4) float32, box corners left, top, right, bottom in pixels of the picture given (origin top left).
    probabilities: (n, 6) float32, calibrated chance of each top face 1..6; rows sum to 1.
    scores: (n,) float32 in 0..1, chance that there is a die at all.
    looks: (n,) float32, how many looks at the die the chances are the mean of; 1 when left out, 0 for a die that was
    not looked at because nothing has changed where it lies.
    ink: (n,) float32 in 0..1, chance that it is printed, by what is to be seen around it; 0 when left out.

    Raises ValueError when shapes disagree or a number is not finite. The arrays are made read-only.
    """

    xyxy: Float
    probabilities: Float
    scores: Float
    looks: Float = field(default_factory=lambda: np.ones((), np.float32))
    ink: Float = field(default_factory=lambda: np.zeros((), np.float32))

    def __post_init__(self) -> None:
        n = len(self.scores)
        for name, columns in {"xyxy": (4,), "probabilities": (6,), "scores": (), "looks": (), "ink": ()}.items():
            shape = (n, *columns)
            array = np.array(
                getattr(self, name), dtype=np.float32
            )  # a copy: freezing must not reach the caller's array
            if array.ndim == 0:  # left out
                array = np.full(n, array)
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} holds a number that is not finite")
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def none(cls) -> Detections:
        """An empty picture."""
        return cls(np.zeros((0, 4), np.float32), np.zeros((0, 6), np.float32), np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def faces(self) -> npt.NDArray[np.int64]:
        """(n,) the likeliest top face 1..6 of each die."""
        return np.asarray(self.probabilities.argmax(axis=1) + 1, dtype=np.int64)

    @property
    def confidences(self) -> Float:
        """(n,) the chance of the likeliest face."""
        return np.asarray(self.probabilities.max(axis=1, initial=0.0), dtype=np.float32)

    @property
    def legible(self) -> Float:
        """(n,) the chance that a die lies there, times that of its likeliest face."""
        return self.scores * self.confidences


def chosen(detections: Detections, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Detections:
    """The rows for which the mask is true, or those with these numbers, in their order."""
    return Detections(*(getattr(detections, column.name)[rows] for column in fields(Detections)))


def joined(one: Detections, other: Detections) -> Detections:
    """The rows of both."""
    columns = (column.name for column in fields(Detections))
    return Detections(*(np.concatenate([getattr(one, name), getattr(other, name)]) for name in columns))


def kept_as_it_is(boxes: Sequence[Sequence[float]], probabilities: Sequence[Sequence[float]]) -> Detections:
    """Dice that lie unchanged, as they are known: nobody has looked at them again."""
    n = len(boxes)
    chances = np.array(probabilities, np.float32).reshape(n, 6)
    return Detections(
        np.array(boxes, np.float32).reshape(n, 4), chances, np.ones(n, np.float32), np.zeros(n, np.float32)
    )


def matched(seen: Detections, boxes: npt.NDArray[np.float32]) -> Detections:
    """For each box what was seen with its middle inside it; nothing known (score 0) where nothing was."""
    probabilities = np.full((len(boxes), 6), 1 / 6, np.float32)
    scores = np.zeros(len(boxes), np.float32)
    middles = (seen.xyxy[:, :2] + seen.xyxy[:, 2:]) / 2
    for row, box in enumerate(boxes):
        inside = ((middles >= box[:2]) & (middles <= box[2:])).all(axis=1)
        if inside.any():
            best = np.flatnonzero(inside)[seen.scores[inside].argmax()]
            probabilities[row], scores[row] = seen.probabilities[best], seen.scores[best]
    return Detections(boxes, probabilities, scores)


def boxes_of(found: Detections) -> list[Box]:
    """The boxes of these detections as tuples."""
    return [tuple(map(float, box)) for box in found.xyxy]  # type: ignore[misc]
