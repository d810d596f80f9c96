"""RootSIFT features of pictures, and which of several taught faces share one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.types import Features
from vision.types import Image

CONTRAST = 0.02  # half of OpenCV’s: cards that are 40 pixels high show little; a fourth finds only noise
CELL = 32.0  # pixels of the picture as given: about half a card where cards are read
_NONE = Features(
    np.zeros((0, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32), np.zeros((0, 128), np.float32)
)


def features(image: Image, enlarge: float = 1.0, most: int = 0, *, of_a_cell: int = 0) -> Features:
    """The features of a picture, found in it enlarged so many times, places in pixels of the picture as given.

    most: keep the strongest so many; of_a_cell: in each square of CELL pixels the strongest so many, so that cloth and
    wood, all of one texture, do not drown the cards that lie on them.
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
    # A pixel of the enlarged picture lies around its middle, not at its corner.
    return Features(
        (points + 0.5) / np.float32(enlarge) - np.float32(0.5),
        np.array([point.size for point in found], np.float32) / np.float32(enlarge),
        np.array([point.angle for point in found], np.float32),
        rooted,
    )


def _strongest(found: Sequence[cv2.KeyPoint], of_a_cell: int, side: float) -> list[cv2.KeyPoint]:
    """Of each square cell of the picture the strongest so many."""
    if not found:
        return []
    cells = np.array([(int(point.pt[0] // side), int(point.pt[1] // side)) for point in found])
    number = cells[:, 0] * (int(cells[:, 1].max()) + 1) + cells[:, 1]
    order = np.lexsort((-np.array([point.response for point in found]), number))
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return [found[row] for row in np.sort(order[rank < of_a_cell])]


def likeness(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32], rows: int = 4096) -> npt.NDArray[np.float32]:
    """(n,) the highest cosine of each row of `a` with any row of `b`; in pieces, so that memory stays small."""
    best = np.full(len(a), -1.0, np.float32)
    if len(b):
        for start in range(0, len(a), rows):
            best[start : start + rows] = (a[start : start + rows] @ b.T).max(axis=1)
    return best
