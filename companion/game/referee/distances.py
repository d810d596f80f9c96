"""Distances between dice, in die widths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from vision.boxes import corner_moved, holds, width
from vision.types import Box

SAME_STAY = 0.5  # die widths; a die that moved less is in the same place
SAME_SPOT = 0.12  # die widths; less is certainly the same place: none of 85,000 resting dice jittered more
OTHER_SIZE = 1.08  # ratio of box sizes from which a die is partly covered in one of two pictures


def covers(hands: Iterable[Box], box: Box) -> bool:
    """Whether one of these hands covers the middle of the box."""
    return any(holds(hand, box) for hand in hands)


def distance(one: Box, other: Box) -> float:
    """Distance between the middles of two boxes, in widths of the second."""
    wide = max(1.0, (other[2] - other[0] + other[3] - other[1]) / 2)
    return math.hypot(one[0] + one[2] - other[0] - other[2], one[1] + one[3] - other[1] - other[3]) / 2 / wide


def beside(box: Box, others: Iterable[Box], reach: float) -> bool:
    """Whether one of the others is within `reach` die widths."""
    return any(distance(other, box) < reach for other in others)


def shifted(before: Box, now: Box) -> float:
    """Distance that a die has moved, in die widths. If it is partly covered in one of the pictures, the corner that
    moved least counts."""
    sides = width(before), width(now)
    if max(sides) <= OTHER_SIZE * min(sides):
        return distance(before, now)
    return min(distance(before, now), corner_moved(before, now))


def own_shift(name: int, moves: Mapping[int, tuple[Box, Box]]) -> float:
    """Distance that a die has moved by itself, in die widths. Motion that it shares with another die is due to the
    camera or the table.

    Args:
        moves: By stay number, the boxes before and now.
    """
    before, now = moves[name]
    found = shifted(before, now)
    for other, (other_before, other_now) in moves.items() if found >= SAME_SPOT / 2 else ():
        if other != name:
            x, y = ((other_now[i] + other_now[i + 2] - other_before[i] - other_before[i + 2]) / 2 for i in (0, 1))
            found = min(found, shifted((before[0] + x, before[1] + y, before[2] + x, before[3] + y), now))
    return found
