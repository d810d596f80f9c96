"""Small pictures of taught faces: which kinds a card in the picture may be, by its colours alone."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.agreement import Pyramid
from vision.cards.faces import Index
from vision.types import Image

THUMB = (9, 12)  # width and height
TALL = 48  # pixels: the height at which a card is cut out for it


class Thumbnails:
    """The thumbnails of an index's faces, without what all of them share."""

    def __init__(self, index: Index) -> None:
        rows = [_thumb(face.image) for face in index.faces]
        table = np.array(rows, np.float32).reshape(len(rows), 3 * THUMB[0] * THUMB[1])
        self._mean = table.mean(axis=0) if len(index.kinds) > 3 else np.zeros(table.shape[1], np.float32)
        self._table = _unit(table - self._mean)

    def likest(
        self, pyramid: Pyramid, corners: npt.NDArray[np.float32], aspect: float, fits: list[int], most: int
    ) -> list[tuple[int, float]]:
        """Of the faces in `fits` those most like what lies within these corners, and how much, -1..1."""
        flat = np.array([[0, 0], [aspect, 0], [aspect, 1], [0, 1]], np.float32)
        place = np.asarray(cv2.getPerspectiveTransform(flat, corners), np.float64)
        cut = pyramid.cut_picture(place, round(TALL * aspect), TALL)
        if cut is None:
            return []
        alike = self._table[fits] @ _unit((_thumb(cut) - self._mean)[None])[0]
        return [(fits[number], float(alike[number])) for number in np.argsort(-alike)[:most]]


def _thumb(image: Image) -> npt.NDArray[np.float32]:
    """A card's colours as (n,) float32: a small Lab picture, each plane without its mean."""
    lab = cv2.cvtColor(cv2.resize(image, THUMB, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 1:] *= 2
    return np.asarray(lab - lab.mean(axis=(0, 1)), np.float32).ravel()


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(rows / np.maximum(1e-6, np.linalg.norm(rows, axis=1, keepdims=True)), np.float32)
