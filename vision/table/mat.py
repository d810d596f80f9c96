"""The printed mat: four corner marks, a rolling area and a row for dice set aside, as data in millimetres."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

Polygon = tuple[tuple[float, float], ...]

DICTIONARY = cv2.aruco.DICT_4X4_50
MARGIN_MM = 8.0  # most printers cannot print on the outer 5 mm of the sheet
GAP_MM = 6.0  # white border that a corner mark needs to be detected
KEPT_ROW_MM = 30.0  # deep enough for a 16 mm die placed carelessly


@dataclass(frozen=True, slots=True)
class Mat:
    """One paper size in landscape. The origin is top left, x to the right, y down, all lengths in mm.

    Attributes:
        first_mark: Number of the corner mark at the top left; the others follow clockwise. Every paper size has its own
            four, so the camera knows which sheet it sees.
    """

    paper: str
    width: float
    height: float
    mark: float
    first_mark: int

    @property
    def marks(self) -> dict[int, Polygon]:
        """Mark number → its four corners, clockwise from its top left (the order ArUco reports)."""
        near, right, low = MARGIN_MM, self.width - MARGIN_MM - self.mark, self.height - MARGIN_MM - self.mark
        corners = ((near, near), (right, near), (right, low), (near, low))
        return {self.first_mark + i: rectangle(x, y, x + self.mark, y + self.mark) for i, (x, y) in enumerate(corners)}

    @property
    def rolling(self) -> Polygon:
        """The area where dice are rolled: between the marks, above the kept row."""
        side = MARGIN_MM + self.mark + GAP_MM
        return rectangle(side, MARGIN_MM, self.width - side, self.kept[0][1] - GAP_MM)

    @property
    def kept(self) -> Polygon:
        """The row for dice set aside: along the lower edge, twelve 16 mm dice wide on the smallest sheet."""
        side = MARGIN_MM + self.mark + GAP_MM
        low = self.height - MARGIN_MM
        return rectangle(side, low - KEPT_ROW_MM, self.width - side, low)

    @property
    def sheet(self) -> Polygon:
        """The edge of the paper."""
        return rectangle(0.0, 0.0, self.width, self.height)


def rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    """Corners clockwise from the top left."""
    return ((left, top), (right, top), (right, bottom), (left, bottom))


MATS: dict[str, Mat] = {
    mat.paper: mat
    for mat in (
        Mat("a4", 297.0, 210.0, 22.0, 0),
        Mat("a3", 420.0, 297.0, 30.0, 4),
        Mat("letter", 279.4, 215.9, 20.0, 8),
    )
}

# A second sheet for the cards for sale: the same papers with their own marks and no areas for dice.
DISPLAY_SHEETS: dict[str, Mat] = {
    paper: replace(mat, first_mark=mat.first_mark + 4 * len(MATS)) for paper, mat in MATS.items()
}


def mark_cells(number: int) -> npt.NDArray[np.bool_]:
    """(6, 6) cells of a corner mark, True where black; the outer ring is its black border."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 6) == 0, dtype=np.bool_)
