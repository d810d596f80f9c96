"""Removes boxes that hold only a side face or the shadow of a die."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.nms import areas, intersection_area
from vision.dice.tiling import Float
from vision.types import Image

SHADOWED = 0.4  # minimum share of the smaller box that overlaps, for a die and its side or shadow
# A die this many heights above another one is behind it and partly hidden; then the minimum share is HIDDEN.
BEHIND, HIDDEN = 0.3, 0.6
# Lengths in die widths. A box lower than FLAT covers only a top face; two boxes within SNUG are one die. A box less
# than DARK times as bright, starting at most GAP below and at most ASIDE to the side, is its dark side.
FLAT, SNUG, DARK, GAP, ASIDE = 0.75, 1.55, 0.5, 0.1, 0.5


def side_mask(image: Image, xyxy: Float, legible: Float, width: float) -> npt.NDArray[np.bool_]:
    """(n,) True for boxes that are probably a side face or the shadow of another die.

    Args:
        image: (H, W, 3) uint8 BGR.
        xyxy: (n, 4) pixels.
        legible: (n,) probability of a die times that of its face.
        width: Width of a die on this table, pixels.
    """
    if len(xyxy) < 2:
        return np.zeros(len(xyxy), np.bool_)
    return _shadowed(xyxy, legible) | _in_the_dark(image, xyxy, width)


def _shadowed(xyxy: Float, legible: Float) -> npt.NDArray[np.bool_]:
    """(n,) True for boxes that overlap a better one so much that they are probably its side or shadow. During a game
    dice do not rest on each other, and the visible side faces the camera, below the top face."""
    area, top, height = areas(xyxy), xyxy[:, 1], xyxy[:, 3] - xyxy[:, 1]
    behind = top[None] - top[:, None] > BEHIND * np.minimum(height[:, None], height)
    much = intersection_area(xyxy, xyxy) > np.where(behind, HIDDEN, SHADOWED) * np.minimum(area[:, None], area)
    return np.asarray((much & (legible > legible[:, None])).any(axis=1))


def _in_the_dark(image: Image, xyxy: Float, width: float) -> npt.NDArray[np.bool_]:
    """(n,) True for boxes of a dark side right below its own bright top face. Under a ceiling lamp a white die's top
    and side differ more in brightness than most dice do, and the box of the die may cover only the top."""
    light = np.array([_light(image, box) for box in xyxy.astype(int).tolist()])
    left, top, right, low = (xyxy[:, [side]] for side in range(4))  # columns: sides; rows: dice
    across = np.maximum(right, right.T) - np.minimum(left, left.T)
    down = np.maximum(low, low.T) - np.minimum(top, top.T)
    one = (low - top < FLAT * width).T | (np.maximum(across, down) < SNUG * width)
    below = (top > ((top + low) / 2).T) & (top < low.T + GAP * width)
    beneath = below & (np.abs(left + right - (left + right).T) < 2 * ASIDE * width)
    return np.asarray((one & beneath & (light[:, None] < DARK * light)).any(axis=1))


def _light(image: Image, box: list[int]) -> float:
    """Brightness of the centre of a box, ignoring dark pips."""
    left, top, right, low = box
    more_x, more_y = (right - left) // 5, (low - top) // 5
    piece = image[max(0, top + more_y) : low - more_y, max(0, left + more_x) : right - more_x]
    return float(np.percentile(piece.max(axis=2), 75)) if piece.size else 0.0
