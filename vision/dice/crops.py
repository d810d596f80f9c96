"""Square crops around boxes, for the networks that read one die at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.pyramid import ImagePyramid
from vision.dice.tiling import Float
from vision.types import Image

MARGIN = 1.35  # side of a crop, in multiples of the box's longer side


def crop_at(picture: ImagePyramid, box: Float, size: int, *, context: float = MARGIN, turn: float = 0.0) -> Image:
    """The square around a box, resized to (size, size, 3). Outside the image, pixels are mirrored.

    Args:
        context: Side of the square, in multiples of the box's longer side.
        turn: Rotation in degrees.
    """
    # Plain floats: arrays of two elements are ten times as slow.
    left, top, right, bottom = (float(side) for side in box)
    reach = max(1.0, context * max(right - left, bottom - top))
    copy, factor = picture.near(size / reach)
    # Pixel centres of the scaled copy are at (x + 0.5) / factor − 0.5 of the image.
    x, y, reach = ((left + right + 1) / factor - 1) / 2, ((top + bottom + 1) / factor - 1) / 2, reach / factor
    angle = math.radians(turn)
    # Half a side that reaches the corners of the rotated square.
    half = reach * (0.5 * (abs(math.cos(angle)) + abs(math.sin(angle))) + 0.05)
    begin, above = max(0, math.floor(x - half)), max(0, math.floor(y - half))
    piece = copy[above : max(above + 1, math.ceil(y + half)), begin : max(begin + 1, math.ceil(x + half))]
    if piece.size == 0:
        return np.zeros((size, size, 3), np.uint8)
    x, y = x - begin, y - above
    matrix = cv2.getRotationMatrix2D((x, y), turn, size / reach)
    matrix[0, 2] += size / 2 - x
    matrix[1, 2] += size / 2 - y
    crop = cv2.warpAffine(piece, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(crop, dtype=np.uint8)


def crops_around(picture: ImagePyramid, boxes: Float, size: int, contexts: Sequence[float]) -> list[list[Image]]:
    """Crops (size, size, 3) of all boxes at several widths; all are cut from the widest crop.

    Args:
        contexts: Sides of the crops, in multiples of the box's longer side.
    """
    widest = max(contexts)
    whole = round(size * widest / min(contexts))
    crops = [crop_at(picture, box, whole, context=widest) for box in boxes]
    sides = [round(whole * context / widest) for context in contexts]
    inner = [slice((whole - side) // 2, (whole - side) // 2 + side) for side in sides]
    return [
        [np.asarray(cv2.resize(crop[cut, cut], (size, size), interpolation=cv2.INTER_AREA), np.uint8) for crop in crops]
        for cut in inner
    ]


def zoomed(boxes: Float, by: float) -> Float:
    """(n, 4) the boxes scaled by this factor around their centres."""
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2 * by
    return np.concatenate([middle - half, middle + half], axis=1)
