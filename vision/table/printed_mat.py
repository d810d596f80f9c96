"""Finds the printed mat by its corner marks and maps pixels to millimetres on it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import centre, holds, through
from vision.table.layout import Layout, Matrix, Outline, TableZone, within
from vision.table.mat import DICTIONARY, MATS, Mat, Polygon
from vision.types import Box

SEARCH_WIDTH = 1280  # marks are searched in a copy of at most this width; more pixels cost time and find no more
SMALLEST_SEARCHED = 32  # pixels: a shorter side has no room for a mark and its border
BUMP_MM = 2.5  # if a mark is this far from where it should be, the camera or the mat was moved
MARK_PASSES = 5  # a box on a mark is the mark, unless it has been missing for this many passes: then a die rests on it
DIE_MM = 16.0  # side of an ordinary die; half of it may hang over the edge of the sheet


class PrintedMat(Layout):
    """The printed mat, found by its corner marks from any angle. Until it is found, there are no zones.

    It is stateful: `update` finds the mat, notices a bumped camera and follows it. While hands or dice cover marks, the
    mat stays where it was last seen.
    """

    def __init__(self) -> None:
        self._detector = mark_detector()
        self._unseen: dict[int, int] = {}  # mark → passes since it was last seen
        # Where each mark must be in the frame, and the passes since it was last seen.
        self._mark_boxes: list[tuple[Box, int]] = []
        self._moved: Matrix | None = None  # a new position seen once; it is accepted when seen twice
        self.mat: Mat | None = None
        self.to_mm: Matrix | None = None

    @property
    def has_kept_zone(self) -> bool:
        """True once the mat is found."""
        return self.mat is not None

    def update(self, image: npt.NDArray[np.uint8]) -> Matrix | None:
        """Finds the mat, or checks that it is still in place."""
        seen = marks_in(image, self._detector)
        bump = self._find(seen)
        self._note_marks(set(seen))
        return bump

    def move_along(self, matrix: Matrix) -> None:
        """Moves the mat with the frame."""
        if self.to_mm is not None:
            self.to_mm, self._moved = np.asarray(self.to_mm @ np.linalg.inv(matrix), np.float64), None
            self._place_marks()

    def restart(self) -> None:
        """Forgets the mat, so that it has to be found again."""
        self._unseen, self._mark_boxes = {}, []
        self.mat = self.to_mm = self._moved = None

    def _note_marks(self, seen: set[int]) -> None:
        """Remembers where the marks must be. A box there is not a die unless the mark has been missing for long or
        was never seen."""
        if self.mat is not None:
            for number in self.mat.marks:
                self._unseen[number] = 0 if number in seen else self._unseen.get(number, MARK_PASSES) + 1
            self._place_marks()

    def _place_marks(self) -> None:
        assert self.mat is not None
        assert self.to_mm is not None
        back = np.asarray(np.linalg.inv(self.to_mm), np.float64)
        self._mark_boxes.clear()
        for number, corners in self.mat.marks.items():
            at = through(back, np.array(corners))
            (left, top), (right, bottom) = at.min(axis=0).tolist(), at.max(axis=0).tolist()
            self._mark_boxes.append(((left, top, right, bottom), self._unseen[number]))

    def _find(self, seen: dict[int, Matrix]) -> Matrix | None:
        """Fits the mat to the marks seen. Returns how the frame has moved if the camera was bumped."""
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
            return None  # the marks are not on one flat sheet
        if self.to_mm is None or mat is not self.mat:
            self.mat, self.to_mm = mat, found
            return None
        if _error(self.to_mm, pixels, mm) <= BUMP_MM:
            self._moved = None
            return None
        if self._moved is None or _error(self._moved, pixels, mm) > BUMP_MM:
            self._moved = found  # it may still be moving
            return None
        shift = np.linalg.inv(found) @ self.to_mm
        self.to_mm, self._moved = found, None
        return np.asarray(shift / shift[2, 2])

    def place(self, box: Box, size: tuple[int, int]) -> TableZone:
        """The zone at the foot of the die in millimetres. A die half over the edge of the sheet still belongs to it."""
        if self.mat is None or self.to_mm is None:
            return super().place(box, size)
        if any(unseen < MARK_PASSES and holds(mark, box) for mark, unseen in self._mark_boxes):
            return TableZone.MARK
        x, y = self.foot_mm(box)
        if within(self.mat.kept, x, y) >= -DIE_MM / 8:
            return TableZone.KEPT
        return TableZone.ROLLING if within(self.mat.sheet, x, y) >= -DIE_MM / 2 else TableZone.OUTSIDE

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """The mat's areas as the camera sees them."""
        if self.mat is None or self.to_mm is None:
            return super().outlines(size)
        back = np.asarray(np.linalg.inv(self.to_mm), np.float64)
        areas = (
            (TableZone.OUTSIDE, self.mat.sheet),
            (TableZone.ROLLING, self.mat.rolling),
            (TableZone.KEPT, self.mat.kept),
        )
        return [Outline(place, _relative(through(back, np.array(area)), size)) for place, area in areas]

    def foot_mm(self, box: Box) -> tuple[float, float]:
        """The point where a die touches the sheet, in mm.

        Seen at the elevation e, a cube of side 1 is sin e + cos e tall in the frame and its foot is sin e deep, so the
        centre of the foot is sin e / 2 above the lower edge of the box. e follows from the foreshortening of the sheet
        there.
        """
        assert self.to_mm is not None
        x, y = centre(box)
        here, right, below = through(self.to_mm, np.array([(x, y), (x + 1, y), (x, y + 1)]))
        stretch = np.linalg.svd(np.stack([right - here, below - here]), compute_uv=False)
        sine = float(stretch[1] / max(stretch[0], 1e-9))
        cosine = float(np.sqrt(max(0.0, 1.0 - sine * sine)))
        foot = box[3] - (box[3] - box[1]) * sine / 2 / (sine + cosine)
        mm = through(self.to_mm, np.array([(x, foot)]))[0]
        return float(mm[0]), float(mm[1])


def mark_detector() -> cv2.aruco.ArucoDetector:
    """A detector of corner marks."""
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
    # Pixel centres: scaling by s maps x to (x + 0.5) s − 0.5.
    return {int(n): (np.asarray(c, np.float64).reshape(4, 2) + 0.5) / scale - 0.5 for n, c in marks}


def _error(to_mm: Matrix, pixels: Matrix, mm: Matrix) -> float:
    """Median distance of the marks from where they should be, in mm."""
    return float(np.median(np.linalg.norm(through(to_mm, pixels) - mm, axis=1)))


def _relative(points: Matrix, size: tuple[int, int]) -> Polygon:
    return tuple((float(x) / size[0], float(y) / size[1]) for x, y in points)
