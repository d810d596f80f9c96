"""Square crops around boxes, for the networks that read one die at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.pyramid import Pyramid
from vision.dice.tiling import Float
from vision.types import Image

MARGIN = 1.35  # a look is this many times the die's longer side wide


def crop_at(picture: Pyramid, box: Float, size: int, *, context: float = MARGIN, turn: float = 0.0) -> Image:
    """The square around a box, `context` times its longer side wide, as (size, size, 3), turned by `turn` degrees.

    Beyond the picture's edge it is mirrored.
    """
    left, top, right, bottom = (float(side) for side in box)  # plain numbers: arrays of two take ten times as long
    reach = max(1.0, context * max(right - left, bottom - top))
    copy, factor = picture.near(size / reach)
    # The copy's pixels lie between those of the picture: (x + 0.5) / factor - 0.5.
    x, y, reach = ((left + right + 1) / factor - 1) / 2, ((top + bottom + 1) / factor - 1) / 2, reach / factor
    angle = math.radians(turn)
    half = reach * (0.5 * (abs(math.cos(angle)) + abs(math.sin(angle))) + 0.05)  # reaches the turned square's corners
    begin, above = max(0, math.floor(x - half)), max(0, math.floor(y - half))
    piece = copy[above : max(above + 1, math.ceil(y + half)), begin : max(begin + 1, math.ceil(x + half))]
    if piece.size == 0:
        return np.zeros((size, size, 3), np.uint8)
    x, y = x - begin, y - above
    matrix = cv2.getRotationMatrix2D((x, y), turn, size / reach)
    matrix[0, 2] += size / 2 - x
    matrix[1, 2] += size / 2 - y
    look = cv2.warpAffine(piece, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(look, dtype=np.uint8)


def crops_around(picture: Pyramid, boxes: Float, size: int, contexts: Sequence[float]) -> list[list[Image]]:
    """For each of these widths, in dice, the looks (size, size, 3) at all boxes; all are cut from the widest."""
    widest = max(contexts)
    whole = round(size * widest / min(contexts))
    looks = [crop_at(picture, box, whole, context=widest) for box in boxes]
    sides = [round(whole * context / widest) for context in contexts]
    inner = [slice((whole - side) // 2, (whole - side) // 2 + side) for side in sides]
    return [
        [np.asarray(cv2.resize(look[cut, cut], (size, size), interpolation=cv2.INTER_AREA), np.uint8) for look in looks]
        for cut in inner
    ]


def zoomed(boxes: Float, by: float) -> Float:
    """(n, 4) The same boxes so many times as large, around the same middles."""
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2 * by
    return np.concatenate([middle - half, middle + half], axis=1)
