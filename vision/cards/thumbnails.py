"""Preselects the likeliest kinds for an outline by comparing small colour thumbnails."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.agreement import Pyramid, weighed_lab
from vision.cards.faces import Index
from vision.types import Image

THUMB = (9, 12)  # pixels, width and height
TALL = 48  # pixels: height of the crop from which a thumbnail is made


class Thumbnails:
    """The thumbnails of an index's faces with their mean subtracted, because games share frames and borders."""

    def __init__(self, index: Index) -> None:
        rows = [_thumb(face.image) for face in index.faces]
        table = np.array(rows, np.float32).reshape(len(rows), 3 * THUMB[0] * THUMB[1])
        self._mean = table.mean(axis=0) if len(index.kinds) > 3 else np.zeros(table.shape[1], np.float32)
        self._table = _unit(table - self._mean)

    def most_similar(
        self, pyramid: Pyramid, corners: npt.NDArray[np.float32], aspect: float, fits: list[int], most: int
    ) -> list[tuple[int, float]]:
        """The faces whose thumbnails are most similar to the area inside an outline.

        Args:
            corners: (4, 2) pixels, clockwise from the card's top left.
            aspect: Width divided by height.
            fits: Numbers of the faces to compare.
            most: Maximum number of results.

        Returns:
            Face numbers with their cosine, -1..1, best first.
        """
        flat = np.array([[0, 0], [aspect, 0], [aspect, 1], [0, 1]], np.float32)
        place = np.asarray(cv2.getPerspectiveTransform(flat, corners), np.float64)
        cut = pyramid.cut_picture(place, round(TALL * aspect), TALL)
        if cut is None:
            return []
        alike = self._table[fits] @ _unit((_thumb(cut) - self._mean)[None])[0]
        return [(fits[number], float(alike[number])) for number in np.argsort(-alike)[:most]]


def _thumb(image: Image) -> npt.NDArray[np.float32]:
    """A card's thumbnail as (n,) float32: a small Lab image, each plane without its mean."""
    lab = weighed_lab(np.asarray(cv2.resize(image, THUMB, interpolation=cv2.INTER_AREA), np.uint8))
    return np.asarray(lab - lab.mean(axis=(0, 1)), np.float32).ravel()


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(rows / np.maximum(1e-6, np.linalg.norm(rows, axis=1, keepdims=True)), np.float32)
