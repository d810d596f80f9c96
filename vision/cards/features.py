"""RootSIFT features of pictures, and which of several taught faces share one."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.types import Features
from vision.types import Image

CONTRAST = 0.02  # half of OpenCV’s: cards that are 40 pixels high show little; a fourth finds only noise
_NONE = Features(
    np.zeros((0, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32), np.zeros((0, 128), np.float32)
)


def features(image: Image, enlarge: float = 1.0, most: int = 0) -> Features:
    """The features of a picture, found in it enlarged so many times, places in pixels of the picture as given."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if enlarge != 1.0:
        grey = cv2.resize(grey, None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_CUBIC)
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=CONTRAST, edgeThreshold=15.0)
    found, descriptors = sift.detectAndCompute(np.ascontiguousarray(grey), None)
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


def likeness(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32], rows: int = 4096) -> npt.NDArray[np.float32]:
    """(n,) the highest cosine of each row of `a` with any row of `b`; in pieces, so that memory stays small."""
    best = np.full(len(a), -1.0, np.float32)
    if len(b):
        for start in range(0, len(a), rows):
            best[start : start + rows] = (a[start : start + rows] @ b.T).max(axis=1)
    return best
