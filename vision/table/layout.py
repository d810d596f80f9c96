"""Zones of the table: the rolling area, the kept row, or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.table.mat import Polygon
from vision.types import Box

Matrix = npt.NDArray[np.float64]


class TableZone(StrEnum):
    """The zone of a die."""

    ROLLING = "rolling"
    KEPT = "kept"
    OUTSIDE = "outside"
    MARK = "mark"  # not a die: a corner mark of the mat, which is black, white and square enough to be taken for one


@dataclass(frozen=True, slots=True)
class Outline:
    """An area to draw: its kind and its corners in relative coordinates (0..1 of width and height)."""

    place: TableZone
    corners: Polygon


class Layout:
    """Maps a box to the zone of its die. By itself it has no zones: every die is in play."""

    __slots__ = ()

    @property
    def drawn(self) -> bool:
        """Whether the zones were drawn over the first frames; they are unknown once the camera has been moved."""
        return False

    @property
    def has_kept_zone(self) -> bool:
        """Whether there is a zone for dice set aside."""
        return False

    def update(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """Searches the image for the mat. Returns a 3×3 matrix (old pixels → new pixels) if the camera was bumped."""
        return None

    def move_along(self, matrix: Matrix) -> None:
        """Reports that the camera was moved by this homography (3×3, old pixels → new pixels)."""

    def restart(self) -> None:
        """Forgets what was found, because the next frame may show anything."""

    def place(self, box: Box, size: tuple[int, int]) -> TableZone:
        """The zone of the die in this box (pixels) in a frame of this (width, height)."""
        return TableZone.ROLLING

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """The areas, for drawing over a frame of this (width, height)."""
        return []


class WholePicture(Layout):
    """No zones: every die is in play; the tracker finds out which were not rolled again."""


@dataclass(frozen=True, slots=True)
class DrawnAreas(Layout):
    """Two polygons drawn on the page, corners in relative coordinates (0..1 of width and height). They stay in place.

    Raises:
        ValueError: An area has fewer than three or more than fifty corners, or leaves the frame.
    """

    rolling: Polygon
    kept: Polygon

    def __post_init__(self) -> None:
        for name in ("rolling", "kept"):
            area: Polygon = getattr(self, name)
            if not 3 <= len(area) <= 50 or any(len(corner) != 2 for corner in area):
                raise ValueError(f"the {name} area needs three to fifty corners")
            if not all(0.0 <= value <= 1.0 for corner in area for value in corner):
                raise ValueError(f"the {name} area must be inside the picture (0 to 1)")

    @property
    def drawn(self) -> bool:
        """Always true."""
        return True

    @property
    def has_kept_zone(self) -> bool:
        """Always true."""
        return True

    def place(self, box: Box, size: tuple[int, int]) -> TableZone:
        """The zone at the foot of the die, which is below the centre of its box. A die half over the edge of an area
        still belongs to it."""
        x, y = (box[0] + box[2]) / 2, box[1] + 0.6 * (box[3] - box[1])
        kept, rolling = (
            within([(across * size[0], down * size[1]) for across, down in area], x, y)
            for area in (self.kept, self.rolling)
        )
        if max(kept, rolling) < -min(box[2] - box[0], box[3] - box[1]) / 2:
            return TableZone.OUTSIDE
        return TableZone.KEPT if kept >= 0 or kept > rolling else TableZone.ROLLING

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """Both areas."""
        return [Outline(TableZone.ROLLING, self.rolling), Outline(TableZone.KEPT, self.kept)]

    def turned(self) -> DrawnAreas:
        """The areas for a frame rotated by 180 degrees."""
        return DrawnAreas(*(tuple((1 - x, 1 - y) for x, y in area) for area in (self.rolling, self.kept)))


def within(area: Sequence[tuple[float, float]], x: float, y: float) -> float:
    """Signed distance from the edge of the area, positive inside, in the area's own unit."""
    return float(cv2.pointPolygonTest(np.array(area, np.float32), (x, y), True))
