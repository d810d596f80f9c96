"""Data types of card recognition: local features and a recognised card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float32]  # (n, 2) x, y
Matrix = npt.NDArray[np.float64]  # 3×3, points of one plane → points of another

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]  # pixels


class Features(NamedTuple):
    """Local features of an image.

    Attributes:
        points: (n, 2) x, y in pixels.
        scales: (n,) diameters in pixels.
        angles: (n,) degrees clockwise.
        descriptors: (n, 128) float32 RootSIFT, unit length (Arandjelović & Zisserman 2012).
    """

    points: Points
    scales: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.float32]

    def chosen(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Features:
        """The features of these rows."""
        return Features(*(part[rows] for part in self))


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card in an image.

    Attributes:
        kind: Name of the card, None if it matches no face.
        confidence: Probability that the kind is right, 0..1.
        quad: Four corners in pixels, clockwise from the card's top left (the image's top left if the kind is None).
        turned: Clockwise rotation of the card in the image, the nearest of 0, 90, 180, 270 degrees.
    """

    kind: str | None
    confidence: float
    quad: Corners
    turned: int
