"""Extracts RootSIFT features of an image or of regions in it, and compares their descriptors."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import Piece
from vision.cards.quads import Quad
from vision.cards.types import Features
from vision.types import Image

CONTRAST = 0.02  # half of OpenCV's default, for cards only 40 pixels high; a quarter adds only noise
CELL = 32.0  # pixels of the original image: about half a card
_NONE = Features(
    np.zeros((0, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32), np.zeros((0, 128), np.float32)
)


def features(image: Image, enlarge: float = 1.0, most: int = 0, *, of_a_cell: int = 0) -> Features:
    """The RootSIFT features of an image; positions in pixels of the original image.

    Args:
        image: (H, W, 3) BGR or (H, W) grey.
        enlarge: Factor by which the image is enlarged first.
        most: Keep only this number of features, the strongest; 0 for all.
        of_a_cell: Keep only this number of features per square of CELL pixels, so that the texture of cloth or wood
            does not outnumber the cards; 0 for all.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if enlarge != 1.0:
        grey = cv2.resize(grey, None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_CUBIC)
    grey = np.ascontiguousarray(grey)
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=CONTRAST, edgeThreshold=15.0)
    if of_a_cell:
        found, descriptors = sift.compute(grey, _strongest(sift.detect(grey, None), of_a_cell, CELL * enlarge))
    else:
        found, descriptors = sift.detectAndCompute(grey, None)
    if descriptors is None or len(found) == 0:
        return _NONE
    rooted = np.sqrt(descriptors / np.maximum(1e-9, descriptors.sum(axis=1, keepdims=True)), dtype=np.float32)
    points = np.array([point.pt for point in found], np.float32)
    # Pixel coordinates refer to pixel centres, so scaling needs the half-pixel shift.
    return Features(
        (points + 0.5) / np.float32(enlarge) - np.float32(0.5),
        np.array([point.size for point in found], np.float32) / np.float32(enlarge),
        np.array([point.angle for point in found], np.float32),
        rooted,
    )


def _strongest(found: Sequence[cv2.KeyPoint], of_a_cell: int, side: float) -> list[cv2.KeyPoint]:
    """The `of_a_cell` strongest keypoints of each square cell; side: of a cell, pixels."""
    if not found:
        return []
    cells = np.array([(int(point.pt[0] // side), int(point.pt[1] // side)) for point in found])
    number = cells[:, 0] * (int(cells[:, 1].max()) + 1) + cells[:, 1]
    order = np.lexsort((-np.array([point.response for point in found]), number))
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return [found[row] for row in np.sort(order[rank < of_a_cell])]


def likeness(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32], rows: int = 4096) -> npt.NDArray[np.float32]:
    """(n,) highest cosine of each row of `a` with any row of `b`; computed in blocks of `rows` to limit memory."""
    best = np.full(len(a), -1.0, np.float32)
    if len(b):
        for start in range(0, len(a), rows):
            best[start : start + rows] = (a[start : start + rows] @ b.T).max(axis=1)
    return best


ENLARGED_TO = 190.0  # pixels: card height at which SIFT finds most features
OF_A_CELL = 24  # features kept per cell, see `features`


def enlarged(image: Image) -> float:
    """Factor by which an image is enlarged before feature extraction if the height of its cards is unknown."""
    long = max(image.shape[:2])
    return 4.0 if long < 240 else 3.0 if long < 480 else 2.0 if long < 900 else 1.0


def enlarged_for(tall: float) -> float:
    """Factor by which an image is enlarged before feature extraction; tall: height of its cards, pixels."""
    return float(np.clip(ENLARGED_TO / max(1.0, tall), 1.0, 4.0))


def whole(image: Image) -> Piece:
    """The whole image as one region."""
    return 0, 0, image.shape[1], image.shape[0]


def around(quads: list[Quad], tall: float, image: Image) -> list[Piece]:
    """Boxes around the cards with room for one more on every side; boxes that meet are merged."""
    boxes = [np.concatenate([quad.min(axis=0) - tall, quad.max(axis=0) + tall]) for quad in quads]
    merged: list[npt.NDArray[np.float64]] = []
    while boxes:
        box = boxes.pop()
        meets = [n for n, other in enumerate(boxes) if (box[:2] < other[2:]).all() and (other[:2] < box[2:]).all()]
        if not meets:
            merged.append(box)
            continue
        other = boxes.pop(meets[0])
        boxes.append(np.concatenate([np.minimum(box[:2], other[:2]), np.maximum(box[2:], other[2:])]))
    size = np.array(image.shape[1::-1])
    limits = [(np.maximum(0, box[:2]), np.minimum(size, box[2:])) for box in merged]
    return [(int(a[0]), int(a[1]), int(b[0]), int(b[1])) for a, b in limits]


def features_in(image: Image, pieces: list[Piece], enlarge: float) -> Features:
    """The features of regions of an image; positions in pixels of the image."""
    parts = []
    for left, top, right, low in pieces:
        part = features(image[top:low, left:right], enlarge, of_a_cell=OF_A_CELL)
        parts.append(part._replace(points=part.points + np.array([left, top], np.float32)))
    return Features(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
