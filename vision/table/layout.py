"""Where things lie: the rolling area, the kept row, or somewhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.table.mat import Polygon
from vision.types import Box

Matrix = npt.NDArray[np.float64]


class Place(StrEnum):
    """Where a die lies."""

    ROLLING = "rolling"
    KEPT = "kept"
    OUTSIDE = "outside"
    MARK = "mark"  # no die at all: a corner mark of the mat, black and white and square enough to be taken for one


@dataclass(frozen=True, slots=True)
class Outline:
    """An area to draw: what it is and its corners in relative coordinates (0..1 of width and height)."""

    place: Place
    corners: Polygon


class Layout(Protocol):
    """Says in which zone a die is.

    Attributes:
        has_kept_zone: There is a zone for dice set aside.
        drawn: The zones were drawn over the first frames; they are unknown once the camera has been moved.
    """

    @property
    def drawn(self) -> bool: ...

    @property
    def has_kept_zone(self) -> bool: ...

    def look(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """Look for the mat. A 3×3 matrix (old pixels → new pixels) when the camera was found to have been bumped."""
        ...

    def carried(self, matrix: Matrix) -> None:
        """The camera was carried elsewhere: what lay at old pixels lies at new ones (3×3, old → new)."""
        ...

    def restart(self) -> None:
        """The next picture may show anything: what was found in earlier ones no longer counts."""
        ...

    def place(self, box: Box, size: tuple[int, int]) -> Place:
        """Where the die in this box (pixels) lies in a picture of this (width, height)."""
        ...

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """The areas, for drawing over a picture of this (width, height)."""
        ...


class WholePicture:
    """Nothing known: every die is in play; the reader finds out which were not thrown again."""

    has_kept_zone = drawn = False

    def look(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """There is nothing to find."""
        return None

    def carried(self, matrix: Matrix) -> None:
        """The whole picture is still the whole picture."""

    def restart(self) -> None:
        """Nothing was found."""

    def place(self, box: Box, size: tuple[int, int]) -> Place:
        """Everywhere is the rolling area."""
        return Place.ROLLING

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """Nothing to draw."""
        return []


@dataclass(frozen=True, slots=True)
class DrawnAreas:
    """Two polygons dragged on the page, corners in relative coordinates (0..1 of width and height).

    Raises ValueError when an area has fewer than three or more than fifty corners or leaves the picture.
    """

    rolling: Polygon
    kept: Polygon

    @property
    def drawn(self) -> bool:
        """Always: over the first pictures."""
        return True

    def __post_init__(self) -> None:
        for name in ("rolling", "kept"):
            area: Polygon = getattr(self, name)
            if not 3 <= len(area) <= 50 or any(len(corner) != 2 for corner in area):
                raise ValueError(f"the {name} area needs three to fifty corners")
            if not all(0.0 <= value <= 1.0 for corner in area for value in corner):
                raise ValueError(f"the {name} area must be inside the picture (0 to 1)")

    @property
    def has_kept_zone(self) -> bool:
        """There is an area for kept dice."""
        return True

    def look(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """The areas stay where they were drawn."""
        return None

    def carried(self, matrix: Matrix) -> None:
        """The areas stay where they were drawn."""

    def restart(self) -> None:
        """The areas stay where they were drawn."""

    def place(self, box: Box, size: tuple[int, int]) -> Place:
        """By the foot of the die, which lies below the middle of its box. A die half over the edge of an area still
        belongs to it.
        """
        x, y = (box[0] + box[2]) / 2, box[1] + 0.6 * (box[3] - box[1])
        kept, rolling = (
            within([(across * size[0], down * size[1]) for across, down in area], x, y)
            for area in (self.kept, self.rolling)
        )
        if max(kept, rolling) < -min(box[2] - box[0], box[3] - box[1]) / 2:
            return Place.OUTSIDE
        return Place.KEPT if kept >= 0 or kept > rolling else Place.ROLLING

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """Both areas."""
        return [Outline(Place.ROLLING, self.rolling), Outline(Place.KEPT, self.kept)]

    def turned(self) -> DrawnAreas:
        """The areas in the picture turned by half a turn."""
        return DrawnAreas(*(tuple((1 - x, 1 - y) for x, y in area) for area in (self.rolling, self.kept)))


def within(area: Sequence[tuple[float, float]], x: float, y: float) -> float:
    """Distance from the edge of the area, positive inside, in the area's own unit."""
    return float(cv2.pointPolygonTest(np.array(area, np.float32), (x, y), True))
