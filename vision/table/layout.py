"""Where things lie: the rolling area, the kept row, or somewhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.table.mat import DICTIONARY, MATS, Mat, Polygon
from vision.types import Box

Matrix = npt.NDArray[np.float64]

SEARCH_WIDTH = 1280  # marks are searched in a picture of at most this width: more pixels cost time and find no more
SMALLEST_SEARCHED = 32  # pixels: a side too short for a mark and what surrounds it
BUMP_MM = 2.5  # a mark seen this far from where it should be: the camera or the mat was moved
MARK_LOOKS = (
    5  # what is found on a mark is the mark, until it has not been seen in so many looks: then a die lies on it
)
DIE_MM = 16.0  # an ordinary die; half of it may hang over the edge of the sheet


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
    """Says where a die lies. `knows_kept`: there is a place for dice set aside."""

    @property
    def knows_kept(self) -> bool: ...

    def look(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """Look for the mat. A 3×3 matrix (old pixels → new pixels) when the camera was found to have been bumped."""
        ...

    def carried(self, matrix: Matrix) -> None:
        """The camera was carried elsewhere: what lay at old pixels lies at new ones (3×3, old → new)."""
        ...

    def place(self, box: Box, size: tuple[int, int]) -> Place:
        """Where the die in this box (pixels) lies in a picture of this (width, height)."""
        ...

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """The areas, for drawing over a picture of this (width, height)."""
        ...


class WholePicture:
    """Nothing known: every die is in play; the reader finds out which were not thrown again."""

    knows_kept = False

    def look(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """There is nothing to find."""
        return None

    def carried(self, matrix: Matrix) -> None:
        """The whole picture is still the whole picture."""

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

    def __post_init__(self) -> None:
        for name in ("rolling", "kept"):
            area: Polygon = getattr(self, name)
            if not 3 <= len(area) <= 50 or any(len(corner) != 2 for corner in area):
                raise ValueError(f"the {name} area needs three to fifty corners")
            if not all(0.0 <= value <= 1.0 for corner in area for value in corner):
                raise ValueError(f"the {name} area must lie within the picture (0 to 1)")

    @property
    def knows_kept(self) -> bool:
        """There is an area for kept dice."""
        return True

    def look(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """The areas stay where they were drawn."""
        return None

    def carried(self, matrix: Matrix) -> None:
        """The areas stay where they were drawn."""

    def place(self, box: Box, size: tuple[int, int]) -> Place:
        """By the foot of the die, which lies below the middle of its box. A die half over the edge of an area still
        belongs to it.
        """
        x, y = (box[0] + box[2]) / 2, box[1] + 0.6 * (box[3] - box[1])
        kept, rolling = (
            _within([(across * size[0], down * size[1]) for across, down in area], x, y)
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


class PrintedMat:
    """The printed mat, found by its corner marks from any angle; until it is found another layout decides.

    Changes over time: `look` finds the mat, notices a bumped camera and follows it. With marks covered by hands or dice
    the mat stays where it was last seen.
    """

    def __init__(self, otherwise: Layout | None = None) -> None:
        self._otherwise = otherwise or WholePicture()
        self._detector = mark_detector()
        self._unseen: dict[int, int] = {}  # mark → looks since it was last seen
        self._mark_boxes: list[tuple[Box, int]] = []  # where each mark must be in the picture, and the same looks
        self._moved: Matrix | None = None  # a new place seen once, believed when seen twice
        self.mat: Mat | None = None
        self.to_mm: Matrix | None = None

    @property
    def knows_kept(self) -> bool:
        """True once the mat is found, else what the other layout knows."""
        return self.mat is not None or self._otherwise.knows_kept

    def look(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """Find the mat or see whether it still lies where it lay."""
        seen = self._marks(image)
        bump = self._find(seen)
        self._note_marks(set(seen))
        return bump

    def carried(self, matrix: Matrix) -> None:
        """The mat moves with the picture."""
        self._otherwise.carried(matrix)
        if self.to_mm is not None:
            self.to_mm, self._moved = np.asarray(self.to_mm @ np.linalg.inv(matrix), np.float64), None
            self._place_marks()

    def _note_marks(self, seen: set[int]) -> None:
        """Where the marks must be: a box there is no die, unless the mark has not been seen for long, or never yet."""
        if self.mat is not None:
            for number in self.mat.marks:
                self._unseen[number] = 0 if number in seen else self._unseen.get(number, MARK_LOOKS) + 1
            self._place_marks()

    def _place_marks(self) -> None:
        assert self.mat is not None
        assert self.to_mm is not None
        back = np.asarray(np.linalg.inv(self.to_mm), np.float64)
        self._mark_boxes.clear()
        for number, corners in self.mat.marks.items():
            at = _through(back, np.array(corners))
            (left, top), (right, bottom) = at.min(axis=0).tolist(), at.max(axis=0).tolist()
            self._mark_boxes.append(((left, top, right, bottom), self._unseen[number]))

    def _find(self, seen: dict[int, Matrix]) -> Matrix | None:
        """Fit the mat to the marks seen; how the picture has moved when the camera was bumped."""
        mat = max(MATS.values(), key=lambda mat: len(seen.keys() & mat.marks.keys()))
        common = sorted(seen.keys() & mat.marks.keys())
        if len(common) < 2:
            return None
        pixels = np.concatenate([seen[number] for number in common])
        mm = np.array([corner for number in common for corner in mat.marks[number]], np.float64)
        fitted, _ = cv2.findHomography(pixels, mm, 0)
        if fitted is None:
            return None
        found = np.asarray(fitted, np.float64)
        if _error(found, pixels, mm) > BUMP_MM:
            return None  # marks that do not lie on one flat sheet
        if self.to_mm is None or mat is not self.mat:
            self.mat, self.to_mm = mat, found
            return None
        if _error(self.to_mm, pixels, mm) <= BUMP_MM:
            self._moved = None
            return None
        if self._moved is None or _error(self._moved, pixels, mm) > BUMP_MM:
            self._moved = found  # perhaps still on the move
            return None
        shift = np.linalg.inv(found) @ self.to_mm
        self.to_mm, self._moved = found, None
        return np.asarray(shift / shift[2, 2])

    def place(self, box: Box, size: tuple[int, int]) -> Place:
        """By the foot of the die in millimetres; a die half over the edge of the sheet still belongs to it."""
        if self.mat is None or self.to_mm is None:
            return self._otherwise.place(box, size)
        if any(unseen < MARK_LOOKS and _on(mark, box) for mark, unseen in self._mark_boxes):
            return Place.MARK
        x, y = self.foot_mm(box)
        if _within(self.mat.kept, x, y) >= -DIE_MM / 8:
            return Place.KEPT
        return Place.ROLLING if _within(self.mat.sheet, x, y) >= -DIE_MM / 2 else Place.OUTSIDE

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """The mat's areas as the camera sees them."""
        if self.mat is None or self.to_mm is None:
            return self._otherwise.outlines(size)
        back = np.asarray(np.linalg.inv(self.to_mm), np.float64)
        areas = ((Place.OUTSIDE, self.mat.sheet), (Place.ROLLING, self.mat.rolling), (Place.KEPT, self.mat.kept))
        return [Outline(place, _relative(_through(back, np.array(area)), size)) for place, area in areas]

    def foot_mm(self, box: Box) -> tuple[float, float]:
        """Where a die touches the sheet, in mm.

        Seen at the elevation e a cube of side 1 is sin e + cos e tall in the picture and its foot is sin e deep, so the
        middle of the foot lies sin e / 2 above the lower edge of the box. e follows from how much the sheet is
        foreshortened there.
        """
        assert self.to_mm is not None
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        here, right, below = _through(self.to_mm, np.array([(x, y), (x + 1, y), (x, y + 1)]))
        stretch = np.linalg.svd(np.stack([right - here, below - here]), compute_uv=False)
        sine = float(stretch[1] / max(stretch[0], 1e-9))
        cosine = float(np.sqrt(max(0.0, 1.0 - sine * sine)))
        foot = box[3] - (box[3] - box[1]) * sine / 2 / (sine + cosine)
        mm = _through(self.to_mm, np.array([(x, foot)]))[0]
        return float(mm[0]), float(mm[1])

    def _marks(self, image: npt.NDArray[np.uint8]) -> dict[int, Matrix]:
        return marks_in(image, self._detector)


def mark_detector() -> cv2.aruco.ArucoDetector:
    """Finds corner marks."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)


def marks_in(image: npt.NDArray[np.uint8], detector: cv2.aruco.ArucoDetector) -> dict[int, Matrix]:
    """Mark number → (4, 2) corners in pixels of the image."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, SEARCH_WIDTH / grey.shape[1])
    if round(scale * min(grey.shape)) < SMALLEST_SEARCHED:
        return {}
    if scale < 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners, numbers, _ = detector.detectMarkers(grey)
    if numbers is None:
        return {}
    marks = zip(numbers.ravel().tolist(), corners, strict=True)
    # Pixel centres: shrinking by s maps x to (x + 0.5) s - 0.5.
    return {int(n): (np.asarray(c, np.float64).reshape(4, 2) + 0.5) / scale - 0.5 for n, c in marks}


def _on(mark: Box, box: Box) -> bool:
    """Whether the middle of the box lies on the mark."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return mark[0] <= x <= mark[2] and mark[1] <= y <= mark[3]


def _error(to_mm: Matrix, pixels: Matrix, mm: Matrix) -> float:
    """How far the marks lie from where they should, median in mm."""
    return float(np.median(np.linalg.norm(_through(to_mm, pixels) - mm, axis=1)))


def _through(matrix: Matrix, points: Matrix) -> Matrix:
    """(n, 2) points mapped by a 3×3 homography."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def _within(area: Sequence[tuple[float, float]], x: float, y: float) -> float:
    """Distance from the edge of the area, positive inside, in the area's own unit."""
    return float(cv2.pointPolygonTest(np.array(area, np.float32), (x, y), True))


def _relative(points: Matrix, size: tuple[int, int]) -> Polygon:
    return tuple((float(x) / size[0], float(y) / size[1]) for x, y in points)
