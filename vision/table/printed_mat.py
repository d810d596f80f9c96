"""The printed mat in the picture: found by its corner marks, it says where a die lies in millimetres."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import through
from vision.table.layout import Layout, Matrix, Outline, Place, WholePicture, within
from vision.table.mat import DICTIONARY, MATS, Mat, Polygon
from vision.types import Box

SEARCH_WIDTH = 1280  # marks are searched in a picture of at most this width: more pixels cost time and find no more
SMALLEST_SEARCHED = 32  # pixels: a side too short for a mark and what surrounds it
BUMP_MM = 2.5  # a mark seen this far from where it should be: the camera or the mat was moved
MARK_LOOKS = 5  # what is found on a mark is the mark, until it has been missing in so many: then a die lies on it
DIE_MM = 16.0  # an ordinary die; half of it may hang over the edge of the sheet


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
    def has_kept_zone(self) -> bool:
        """True once the mat is found, else what the other layout knows."""
        return self.mat is not None or self._otherwise.has_kept_zone

    @property
    def drawn(self) -> bool:
        """Whether areas drawn by hand are in use: no mat has been found."""
        return self.mat is None and self._otherwise.drawn

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

    def restart(self) -> None:
        """The mat has to be found again."""
        self._otherwise.restart()
        self._unseen, self._mark_boxes = {}, []
        self.mat = self.to_mm = self._moved = None

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
            at = through(back, np.array(corners))
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
        if within(self.mat.kept, x, y) >= -DIE_MM / 8:
            return Place.KEPT
        return Place.ROLLING if within(self.mat.sheet, x, y) >= -DIE_MM / 2 else Place.OUTSIDE

    def outlines(self, size: tuple[int, int]) -> list[Outline]:
        """The mat's areas as the camera sees them."""
        if self.mat is None or self.to_mm is None:
            return self._otherwise.outlines(size)
        back = np.asarray(np.linalg.inv(self.to_mm), np.float64)
        areas = ((Place.OUTSIDE, self.mat.sheet), (Place.ROLLING, self.mat.rolling), (Place.KEPT, self.mat.kept))
        return [Outline(place, _relative(through(back, np.array(area)), size)) for place, area in areas]

    def foot_mm(self, box: Box) -> tuple[float, float]:
        """Where a die touches the sheet, in mm.

        Seen at the elevation e a cube of side 1 is sin e + cos e tall in the picture and its foot is sin e deep, so the
        middle of the foot lies sin e / 2 above the lower edge of the box. e follows from how much the sheet is
        foreshortened there.
        """
        assert self.to_mm is not None
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        here, right, below = through(self.to_mm, np.array([(x, y), (x + 1, y), (x, y + 1)]))
        stretch = np.linalg.svd(np.stack([right - here, below - here]), compute_uv=False)
        sine = float(stretch[1] / max(stretch[0], 1e-9))
        cosine = float(np.sqrt(max(0.0, 1.0 - sine * sine)))
        foot = box[3] - (box[3] - box[1]) * sine / 2 / (sine + cosine)
        mm = through(self.to_mm, np.array([(x, foot)]))[0]
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
    return float(np.median(np.linalg.norm(through(to_mm, pixels) - mm, axis=1)))


def _relative(points: Matrix, size: tuple[int, int]) -> Polygon:
    return tuple((float(x) / size[0], float(y) / size[1]) for x, y in points)
