"""Data association: which detection is which die, and which detections are duplicates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.boxes import middles, widths
from vision.dice.detections import Detections
from vision.dice.nms import areas, intersection_area
from vision.tracking.constants import DUPLICATE, LIKE, MOSTLY, OVERLAP
from vision.types import Box


def greedy_match(old: list[Box], new: list[Box], reach: float | list[float]) -> dict[int, int]:
    """Matches old boxes to new ones, nearest pairs first.

    Dice are at least a width apart and passes are frequent, so the nearest pair is right. An optimal assignment would
    differ only for dice that fly past each other, and the detector does not read those.

    Args:
        reach: Maximum distance of a pair in die widths, one for all or one for each old box.

    Returns:
        Row of `old` → row of `new`.
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


def without_duplicates(detections: Detections) -> list[int]:
    """Rows of the detections without duplicates, the best first."""
    if len(detections) == 0:
        return []
    boxes = detections.xyxy.astype(np.float64)
    centres, sides = middles(boxes), widths(boxes)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    duplicate = apart <= DUPLICATE * np.minimum(sides[:, None], sides[None])
    rows: list[int] = []
    for row in np.argsort(-detections.scores, kind="stable").tolist():
        if not duplicate[row, rows].any():
            rows.append(row)
    return rows


def covering_more(found: Detections, dice: list[Box]) -> npt.NDArray[np.bool_]:
    """(n,) True for boxes that cover two dice, or one die and as much space again; such a detection is neither die.

    A box may be larger than its die for two other reasons: a refined pass measured the die better, or a hand had
    covered a part of it.
    """
    if not dice:
        return np.zeros(len(found), np.bool_)
    resting = np.array(dice, np.float32)
    covers = intersection_area(found.xyxy, resting) >= OVERLAP * areas(resting)
    sizes = np.maximum(areas(resting), np.median(areas(resting)))
    larger = covers & (areas(found.xyxy)[:, None] > 2 * sizes) & (found.passes[:, None] <= 1)
    return np.asarray((covers.sum(axis=1) > 1) | larger.any(axis=1))


def of_one_size(found: Detections, dice: list[Box]) -> npt.NDArray[np.bool_]:
    """(n,) False for boxes far narrower or wider than most of the probable detections and the known dice.

    Dice of a game have one size, so these are something else. Height does not count, because the box of a partly hidden
    or dark die may cover only its top face. Fewer than three boxes show no usual size.
    """
    boxes = found.xyxy.astype(np.float64)
    across, longer = widths(boxes), (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0)
    sizes = np.concatenate([across[found.legible >= MOSTLY], widths(np.array(dice, np.float64).reshape(-1, 4))])
    if len(sizes) < 3:
        return np.ones(len(found), np.bool_)
    return np.asarray((longer > np.median(sizes) / LIKE) & (across < LIKE * np.median(sizes)))
