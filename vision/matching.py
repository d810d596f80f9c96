"""Boxes of dice compared: middles, widths, which is nearest to which."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from vision.detections import Detections
from vision.rivals import areas, common_areas

Box = tuple[float, float, float, float]
Boxes = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

DOUBLE = 0.45  # die widths: two detections closer than this are one die seen twice
COVERED = 0.8  # part of a die's box from which another covers it


def nearest(old: list[Box], new: list[Box], reach: float | list[float]) -> dict[int, int]:
    """Row of `old` → row of `new`, nearest pairs first, none farther apart than `reach` die widths (of all, or of each
    row of `old`).

    Dice lie at least a width apart and are looked at often, so that the nearest pair is the right one; the costlier
    assignment of least total distance differs only where dice fly past each other, and those are not read anyway.
    """
    if not old or not new:
        return {}
    before, after = np.array(old), np.array(new)
    apart = np.linalg.norm(middles(before)[:, None] - middles(after)[None], axis=2)
    apart /= np.maximum(widths(before)[:, None], widths(after)[None])
    pairs: dict[int, int] = {}
    used: set[int] = set()
    farthest = np.broadcast_to(np.array(reach), len(old))
    for place in np.argsort(apart, axis=None, kind="stable").tolist():
        i, j = divmod(place, len(new))
        if apart[i, j] <= farthest[i] and i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def without_doubles(detections: Detections) -> list[int]:
    """Rows of the detections, best first, without second looks at the same die."""
    if len(detections) == 0:
        return []
    boxes = detections.xyxy.astype(np.float64)
    centres, sides = middles(boxes), widths(boxes)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    double = apart <= DOUBLE * np.minimum(sides[:, None], sides[None])
    rows: list[int] = []
    for row in np.argsort(-detections.scores, kind="stable").tolist():
        if not double[row, rows].any():
            rows.append(row)
    return rows


def covering_two(boxes: Boxes, dice: list[Box]) -> npt.NDArray[np.bool_]:
    """(n,) True for boxes that cover two of the dice: what a look saw of both at once is neither of them."""
    if len(dice) < 2:
        return np.zeros(len(boxes), np.bool_)
    lying = np.array(dice, np.float32)
    return np.asarray((common_areas(boxes, lying) >= COVERED * areas(lying)).sum(axis=1) > 1)


def boxes_of(found: Detections) -> list[Box]:
    """Their boxes, each by itself."""
    return [tuple(map(float, box)) for box in found.xyxy]  # type: ignore[misc]


def middles(boxes: Matrix) -> Matrix:
    """(n, 4) boxes → (n, 2) centres."""
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2)


def widths(boxes: Matrix) -> Matrix:
    """(n, 4) boxes → (n,) die widths: the side of a square as large as the box."""
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 1.0)
    return np.asarray(np.sqrt(sides[:, 0] * sides[:, 1]))


def touch(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def grown(box: Box, share: float) -> Box:
    """The box, larger on every side by this share of its width and height."""
    more_x, more_y = (box[2] - box[0]) * share, (box[3] - box[1]) * share
    return box[0] - more_x, box[1] - more_y, box[2] + more_x, box[3] + more_y


def centre(box: Box) -> tuple[float, float]:
    """The middle of one box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def width(box: Box) -> float:
    """Width of one die."""
    return math.sqrt(max(box[2] - box[0], 1.0) * max(box[3] - box[1], 1.0))


def corner_moved(before: Box, after: Box) -> float:
    """How far the corner has moved that has moved least, in the larger width of the two."""
    left, top, right, low = (abs(new - old) for old, new in zip(before, after, strict=True))
    return math.hypot(min(left, right), min(top, low)) / max(width(before), width(after))


def overlapping(box: Boxes, others: Boxes) -> list[int]:
    """Which others have their middle in the box, (1, 4), or its middle in theirs."""
    return [row for row, other in enumerate(others[:, None]) if among(other, box)[0] or among(box, other)[0]]


def among(boxes: Boxes, others: Boxes) -> npt.NDArray[np.bool_]:
    """Which boxes have their middle in one of the others."""
    x, y = (boxes[:, [0]] + boxes[:, [2]]) / 2, (boxes[:, [1]] + boxes[:, [3]]) / 2
    inside = (x >= others[:, 0]) & (x <= others[:, 2]) & (y >= others[:, 1]) & (y <= others[:, 3])
    return np.asarray(inside.any(axis=1))
