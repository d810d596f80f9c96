"""Distances between dice, in die widths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from vision.types import Box

SAME_STAY = 0.5  # die widths; a die that moved less is in the same place
SAME_SPOT = 0.12  # die widths; less is certainly the same place: none of 85,000 resting dice jittered more
OTHER_SIZE = 1.08  # ratio of box sizes from which a die is partly covered in one of two pictures


def covers(hands: Iterable[Box], box: Box) -> bool:
    """Whether one of these hands covers the middle of the box."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(left <= x <= right and top <= y <= low for left, top, right, low in hands)


def apart(one: Box, other: Box) -> float:
    """Distance between the middles of two boxes, in widths of the second."""
    width = max(1.0, (other[2] - other[0] + other[3] - other[1]) / 2)
    return math.hypot(one[0] + one[2] - other[0] - other[2], one[1] + one[3] - other[1] - other[3]) / 2 / width


def beside(box: Box, others: Iterable[Box], reach: float) -> bool:
    """Whether one of the others is within `reach` die widths."""
    return any(apart(other, box) < reach for other in others)


def shifted(before: Box, now: Box) -> float:
    """Distance that a die has moved, in die widths. If it is partly covered in one of the pictures, the corner that
    moved least counts."""
    sides = [math.sqrt(max(b[2] - b[0], 1.0) * max(b[3] - b[1], 1.0)) for b in (before, now)]
    if max(sides) <= OTHER_SIZE * min(sides):
        return apart(before, now)
    corners = [math.hypot(before[i] - now[i], before[j] - now[j]) for i in (0, 2) for j in (1, 3)]
    return min(apart(before, now), min(corners) / max(sides))


def alone(name: int, moves: Mapping[int, tuple[Box, Box]]) -> float:
    """Distance that a die has moved by itself, in die widths. Motion that it shares with another die is due to the
    camera or the table.

    Args:
        moves: By stay number, the boxes before and now.
    """
    before, now = moves[name]
    found = shifted(before, now)
    for other, (its, there) in moves.items() if found >= SAME_SPOT / 2 else ():
        if other != name:
            x, y = ((there[i] + there[i + 2] - its[i] - its[i + 2]) / 2 for i in (0, 1))
            found = min(found, shifted((before[0] + x, before[1] + y, before[2] + x, before[3] + y), now))
    return found
