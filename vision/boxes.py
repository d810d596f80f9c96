"""Geometry of boxes, pixels, xyxy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vision.types import Box

Boxes = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
Piece = tuple[int, int, int, int]  # a rectangle of an image: left, top, right, bottom in whole pixels
Side = TypeVar("Side", int, float)
Sides = tuple[Side, Side, Side, Side]  # a Box or a Piece


def middles(boxes: Matrix) -> Matrix:
    """(n, 4) boxes → (n, 2) centres."""
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2)


def widths(boxes: Matrix) -> Matrix:
    """(n, 4) boxes → (n,) die widths: the side of a square with the area of the box."""
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 1.0)
    return np.asarray(np.sqrt(sides[:, 0] * sides[:, 1]))


def touch(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def around_both(one: Sides[Side], other: Sides[Side]) -> Sides[Side]:
    """The smallest box around two boxes."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def merged(pieces: Iterable[Piece], room: float = 0.0) -> list[Piece]:
    """Merges rectangles that overlap or are closer together than `room` pixels, until all are apart."""
    found = list(pieces)
    while (pair := _meeting(found, room)) is not None:
        one, other = found.pop(pair[1]), found.pop(pair[0])
        found.append(around_both(one, other))
    return found


def _meeting(pieces: Sequence[Piece], room: float) -> tuple[int, int] | None:
    """Indices of two rectangles to merge, the smaller index first."""
    for j, other in enumerate(pieces):
        around = grown_by(other, room)
        for i, one in enumerate(pieces[:j]):
            if touch(one, around):
                return i, j
    return None


def areas_of_groups(boxes: Sequence[Box]) -> list[float]:
    """The area of each connected group of overlapping boxes, square pixels; overlaps count twice."""
    groups: list[list[Box]] = []
    for box in boxes:
        around = grown_by(box, 1)
        near = [group for group in groups if any(touch(around, other) for other in group)]
        groups = [group for group in groups if group not in near] + [[box, *(one for group in near for one in group)]]
    return [sum((right - left) * (low - top) for left, top, right, low in group) for group in groups]


def grown(box: Box, share: float) -> Box:
    """The box, larger on every side by this share of its width and height."""
    more_x, more_y = (box[2] - box[0]) * share, (box[3] - box[1]) * share
    return box[0] - more_x, box[1] - more_y, box[2] + more_x, box[3] + more_y


def grown_by(box: Box, pixels: float) -> Box:
    """The box, larger on every side by this many pixels."""
    return box[0] - pixels, box[1] - pixels, box[2] + pixels, box[3] + pixels


def centre(box: Box) -> tuple[float, float]:
    """The centre (x, y) of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def holds(outer: Box, box: Box) -> bool:
    """Whether the centre of a box is inside another one."""
    x, y = centre(box)
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def width(box: Box) -> float:
    """The die width of a box: the side of a square with the same area."""
    return math.sqrt(max(box[2] - box[0], 1.0) * max(box[3] - box[1], 1.0))


def corner_moved(before: Box, after: Box) -> float:
    """Smallest displacement of any corner, in widths of the larger box. It stays small if only one side was covered."""
    left, top, right, low = (abs(new - old) for old, new in zip(before, after, strict=True))
    return math.hypot(min(left, right), min(top, low)) / max(width(before), width(after))


def overlapping(box: Boxes, others: Boxes) -> list[int]:
    """Rows of `others` whose centre is inside `box` (1, 4), or that contain its centre."""
    return [row for row, other in enumerate(others[:, None]) if among(other, box)[0] or among(box, other)[0]]


def among(boxes: Boxes, others: Boxes) -> npt.NDArray[np.bool_]:
    """(n,) whether the centre of each box is in one of the others."""
    x, y = (boxes[:, [0]] + boxes[:, [2]]) / 2, (boxes[:, [1]] + boxes[:, [3]]) / 2
    inside = (x >= others[:, 0]) & (x <= others[:, 2]) & (y >= others[:, 1]) & (y <= others[:, 3])
    return np.asarray(inside.any(axis=1))


def mapped(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """A point under a homography (3, 3)."""
    u, v, w = (float(value) for value in matrix @ np.array([x, y, 1.0]))
    return u / w, v / w


def through(matrix: Matrix, points: Matrix) -> Matrix:
    """Points (n, 2) under a homography (3, 3)."""
    found = np.hstack([points, np.ones((len(points), 1))]) @ matrix.T
    return np.asarray(found[:, :2] / found[:, 2:], np.float64)


def mapped_box(matrix: Matrix, box: Box) -> Box:
    """A box under a homography (3, 3). The centre moves and the sides keep their directions, because a rotation by
    180 degrees would swap corners."""
    (x, y), side = centre(box), width(box)
    (u, v), scale = mapped(matrix, x, y), math.sqrt(abs(_spread(matrix, x, y, side))) / side
    half_x, half_y = scale * (box[2] - box[0]) / 2, scale * (box[3] - box[1]) / 2
    return u - half_x, v - half_y, u + half_x, v + half_y


def _spread(matrix: Matrix, x: float, y: float, side: float) -> float:
    """Signed area, square pixels, of the image of a square of this side around (x, y) under the homography."""
    ax, ay = mapped(matrix, x - side / 2, y)
    bx, by = mapped(matrix, x + side / 2, y)
    cx, cy = mapped(matrix, x, y - side / 2)
    dx, dy = mapped(matrix, x, y + side / 2)
    return (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
