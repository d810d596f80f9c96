"""The values of card reading: a taught face, features of a picture, a card that was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float32]  # (n, 2) x, y
Matrix = npt.NDArray[np.float64]  # 3×3, points of one plane → points of another

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]  # pixels


class Features(NamedTuple):
    """Local features. points: (n, 2) pixels; scales: (n,) diameters in pixels; angles: (n,) degrees clockwise;
    descriptors: (n, 128) float32 RootSIFT, unit length (Arandjelović & Zisserman 2012).
    """

    points: Points
    scales: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.float32]

    def chosen(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Features:
        """Only these rows."""
        return Features(*(part[rows] for part in self))


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card in a picture.

    kind: what was taught, None for a card that is none of those; confidence: 0..1, that the answer is right;
    quad: four corners in pixels, clockwise from the top left corner *of the card* (where that is not known, of the
    picture);
    turned: by how many degrees the card is turned clockwise in the picture, to the nearest of 0, 90, 180, 270.
    """

    kind: str | None
    confidence: float
    quad: Corners
    turned: int
