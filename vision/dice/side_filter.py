"""What looks like a die and is only a side or the shadow of one that lies there."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.nms import areas, intersection_area
from vision.dice.tiling import Float
from vision.types import Image

# The share of the smaller box that a die and its side or shadow have in common, on a table where a game is played …
SHADOWED = 0.4
BEHIND, HIDDEN = 0.3, 0.6  # … but for a die seen so far above another, in heights: it lies behind, hidden in part
# Lengths in die widths. A box lower than FLAT holds no more than a top face, and two that fit into SNUG are one die:
# one not half as bright, beginning so near below and no farther to the side, is its side in the dark.
FLAT, SNUG, DARK, GAP, ASIDE = 0.75, 1.55, 0.5, 0.1, 0.5


def side_mask(image: Image, xyxy: Float, worth: Float, width: float) -> npt.NDArray[np.bool_]:
    """(n,) True for rows that are most likely a side or the shadow of another.

    image: (H, W, 3) uint8 BGR; xyxy: (n, 4) pixels; worth: (n,) chances of being a die and of its face; width: of a die
    as it is seen on this table, pixels.
    """
    if len(xyxy) < 2:
        return np.zeros(len(xyxy), np.bool_)
    return _shadowed(xyxy, worth) | _in_the_dark(image, xyxy, width)


def _shadowed(xyxy: Float, worth: Float) -> npt.NDArray[np.bool_]:
    """(n,) True for rows that share so much with one worth more that they are most likely that die's side or shadow: on
    a table where a game is played dice do not lie in heaps. The side seen of a die is the one towards the camera, below
    its top face."""
    area, top, height = areas(xyxy), xyxy[:, 1], xyxy[:, 3] - xyxy[:, 1]
    behind = top[None] - top[:, None] > BEHIND * np.minimum(height[:, None], height)
    much = intersection_area(xyxy, xyxy) > np.where(behind, HIDDEN, SHADOWED) * np.minimum(area[:, None], area)
    return np.asarray((much & (worth > worth[:, None])).any(axis=1))


def _in_the_dark(image: Image, xyxy: Float, width: float) -> npt.NDArray[np.bool_]:
    """(n,) True for boxes of a side in the dark right below a bright top face of its own: where light comes from above
    alone, a white die's top and side differ more than most dice do, and the box of the die may hold the top alone."""
    light = np.array([_light(image, box) for box in xyxy.astype(int).tolist()])
    left, top, right, low = (xyxy[:, [side]] for side in range(4))  # columns: the sides; rows: their dice
    across = np.maximum(right, right.T) - np.minimum(left, left.T)
    down = np.maximum(low, low.T) - np.minimum(top, top.T)
    one = (low - top < FLAT * width).T | (np.maximum(across, down) < SNUG * width)
    below = (top > ((top + low) / 2).T) & (top < low.T + GAP * width)
    beneath = below & (np.abs(left + right - (left + right).T) < 2 * ASIDE * width)
    return np.asarray((one & beneath & (light[:, None] < DARK * light)).any(axis=1))


def _light(image: Image, box: list[int]) -> float:
    """How bright the middle of a box is, but for dark pips."""
    left, top, right, low = box
    more_x, more_y = (right - left) // 5, (low - top) // 5
    piece = image[max(0, top + more_y) : low - more_y, max(0, left + more_x) : right - more_x]
    return float(np.percentile(piece.max(axis=2), 75)) if piece.size else 0.0
