"""An earlier calm picture of the table, in which every later picture is found again, however the camera has moved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product

import cv2
import numpy as np

from vision.boxes import Matrix
from vision.tracking.constants import (
    BLACK_SHARE,
    DARK_LEVEL,
    LEAST_PARTS,
    LEAST_STRUCTURE,
    MOSTLY,
    SAME_PATTERN,
    STRUCTURE,
    STRUCTURED,
    TOUCHED_PART,
    WIDTH,
)
from vision.tracking.regions import Mask, shares
from vision.tracking.registration import PictureFeatures, registered, rescaled
from vision.tracking.small_picture import Bytes, Small, alike, changed
from vision.types import Box, Image

_FINER = 4  # enlargement before mapping, which would blur a picture of the compared size
_SAME_SHAPE = 0.01  # maximum relative difference between the scales of width and height
_COARSE = 40  # width of the picture, pixels, for a quick check whether any arrangement is possible
_CELLS, _PARTS = (16, 12), (4, 3)  # cells and parts of the picture, across and down


class Reference:
    """A calm picture of the table and its structure, which can be recognised in any view and light.

    Attributes:
        image: (H, W, 3) BGR.
        small: Its small copy.
        size: Its width and height in pixels.
    """

    def __init__(self, image: Image, small: Small, table: Small | None = None) -> None:
        """Remembers the picture. table: small picture of the empty table; None if unknown."""
        self.image, self.small, self._table = image, small, table
        self.size: tuple[int, int] = (image.shape[1], image.shape[0])

    @cached_property
    def structure(self) -> Mask:
        """(h, w) small pixels that can be recognised."""
        return np.asarray(self.small.span > STRUCTURE, np.bool_)

    def changed_share(self, now: Small) -> float:
        """Share of the structure that has changed, 0..1. now: small copy of a later picture, mapped back."""
        return float(np.count_nonzero(self.structure & changed(self.small, now)) / max(1, self.structure.sum()))

    def touched_share(self, now: Small) -> float:
        """Share of the picture's parts whose structure has mostly changed, 0..1; 0 if too little is visible.

        A hand or a die changes few parts, however large it is. Only the structure of the table counts.
        """
        cells = shares(self._on_table, _CELLS)
        parts = shares(cells > STRUCTURED, _PARTS)
        gone = shares(self._on_table & changed(self.small, now), _CELLS) > TOUCHED_PART * cells
        touched = shares(gone & (cells > STRUCTURED), _PARTS)[parts > 0] > MOSTLY * parts[parts > 0]
        return float(touched.mean()) if len(touched) >= LEAST_PARTS else 0.0

    def view(self, image: Image, known_view: Matrix, spread: bool, bumped: bool = False) -> Matrix | None:
        """How a later picture, (H, W, 3) of any shape, shows what this one shows (3×3, pixels here → pixels there).

        Args:
            known_view: The view so far. Another one replaces it only if it explains most of the structure that this one
                does not, and nearly all that this one does.
            spread: Only structure recognised in several parts of the picture counts.
            bumped: The table's structure is known to be out of place.

        Returns:
            `known_view` if the structure is in place, None if no view explains the picture.
        """
        later = _LaterPicture(self, image)
        in_place = later.seen(known_view)
        if np.count_nonzero(self.structure & ~in_place) < LEAST_STRUCTURE:
            return known_view
        patterned = self.structure.mean() > STRUCTURED  # more structure than dice alone would give
        lost = (patterned or bumped) and np.count_nonzero(in_place) < MOSTLY * np.count_nonzero(self.structure)
        found = registered(self._features, PictureFeatures.of(image), known_view) if lost else None
        if found is known_view:
            return known_view
        views = [*later.likely(known_view), *([] if found is None else [found])]
        best = self._best(later, views, in_place, spread)
        if best is None and lost:
            mirror = np.array([[-1.0, 0, image.shape[1] - 1], [0, 1, 0], [0, 0, 1]])
            mirrored = PictureFeatures.of(np.ascontiguousarray(image[:, ::-1]))
            found = registered(self._features, mirrored, mirror @ known_view)
            best = None if found is None else self._best(later, [mirror @ found], in_place, spread)
        return best

    def _best(self, later: _LaterPicture, views: list[Matrix], in_place: Mask, spread: bool) -> Matrix | None:
        """The view that explains most of the structure that is not in place, if one is good enough."""
        gone, (best, most) = self.structure & ~in_place, (None, 0.0)
        for view in views:
            shown = later.shown(view)
            due = np.count_nonzero(gone & shown)
            if due < max(LEAST_STRUCTURE, MOSTLY * np.count_nonzero(gone)):
                continue
            seen = later.seen(view)
            found, lost = gone & seen, np.count_nonzero(in_place & shown & ~seen)
            gained = float(np.count_nonzero(found) - lost)
            if gained < MOSTLY * due or gained <= most:
                continue
            if not spread or np.count_nonzero(shares(found, _PARTS)) >= LEAST_PARTS:
                best, most = view, gained
        return best

    @cached_property
    def _features(self) -> PictureFeatures:
        return PictureFeatures.of(self.image)

    @cached_property
    def _on_table(self) -> Mask:
        known = self._table is not None and self._table.shape == self.small.shape
        return self.structure & ~changed(self._table, self.small) if known and self._table else self.structure


class _LaterPicture:
    """A later picture in grey, in which the structure of the reference is searched."""

    def __init__(self, reference: Reference, image: Image) -> None:
        self._reference, self._shape = reference, (image.shape[1], image.shape[0])
        self._grey = _resized(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), _FINER * WIDTH)
        self._coarse = _resized(self._grey, WIDTH)
        self._between, self._light = _between_bars(self._grey), np.zeros_like(self._coarse)
        left, top, right, low = self._between
        height, width = self._light.shape
        self._light[round(top * height) : round(low * height), round(left * width) : round(right * width)] = 255

    def seen(self, view: Matrix) -> Mask:
        """(h, w) mask of the structure that is in place under this view."""
        known = self._reference
        patterns = alike(known.small, Small(self._back(self._grey, view, WIDTH)))
        return np.asarray(known.structure & self.shown(view) & (patterns > SAME_PATTERN))

    def shown(self, view: Matrix, width: int = WIDTH) -> Mask:
        """Mask of the pixels of the reference, scaled to this width, that the picture covers under this view."""
        return np.asarray(self._back(self._light, view, width, cv2.BORDER_CONSTANT) > 127)

    def likely(self, known_view: Matrix) -> Iterator[Matrix]:
        """Views of a rotated, mirrored or resized picture that resembles the reference more than under `known_view`."""
        known = _resized(np.asarray(self._reference.small.grey, np.uint8), _COARSE)
        stood = self._back(self._coarse, known_view, _COARSE)
        width, height = self._shape
        left, top, right, low = self._between
        for box in {(0.0, 0.0, width, height), (left * width, top * height, right * width, low * height)}:
            for view in arrangements(self._reference.size, box):
                here, one = self.shown(view, _COARSE), self._back(self._coarse, view, _COARSE)
                if here.any() and _correlation(known[here], one[here]) > _correlation(known[here], stood[here]):
                    yield view

    def _back(self, pixels: Bytes, view: Matrix, width: int, border: int = cv2.BORDER_REPLICATE) -> Bytes:
        """The picture, given at any scale, mapped back and scaled to this width."""
        fine = pixels.shape[1]
        matrix = rescaled(view, fine / self._reference.size[0], fine / self._shape[0])
        height = round(fine * self._reference.small.shape[0] / WIDTH)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        back = cv2.warpPerspective(pixels, matrix, (fine, height), flags=flags, borderMode=border)
        return _resized(np.asarray(back, np.uint8), width)


def arrangements(size: tuple[int, int], box: Box) -> Iterator[Matrix]:
    """All ways in which a picture of this (width, height) may have been arranged within a box of a later one (3×3,
    pixels here → pixels there): the eight symmetries of a rectangle, stretched to the box, fitted into it, or filling
    it."""
    left, top, right, low = box
    for swapped, mirrored, flipped in product((False, True), repeat=3):
        unit = np.diag([-1.0 if mirrored else 1.0, -1.0 if flipped else 1.0, 1.0])
        wide, high = (low - top, right - left) if swapped else (right - left, low - top)
        scales = wide / size[0], high / size[1]
        unit = unit @ np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]]) if swapped else unit
        same = max(scales) <= min(scales) * (1 + _SAME_SHAPE)
        for across, down in [scales] if same else [scales, (scales[0], scales[0]), (scales[1], scales[1])]:
            middle = np.array([[1, 0, (left + right) / 2 - 0.5], [0, 1, (top + low) / 2 - 0.5], [0, 0, 1]])
            origin = np.array(
                [[across, 0, -across * (size[0] - 1) / 2], [0, down, -down * (size[1] - 1) / 2], [0, 0, 1]]
            )
            yield middle @ unit @ origin


def _between_bars(grey: Bytes) -> Box:
    """The part between black bars, relative to width and height; the whole picture if there are no bars."""
    dark = grey <= DARK_LEVEL
    sides = []
    for axis in (0, 1):
        shows = np.flatnonzero(dark.mean(axis=axis) < BLACK_SHARE)
        length = dark.shape[1 - axis]
        sides.append((float(shows[0]) / length, float(shows[-1] + 1) / length) if len(shows) else (0.0, 1.0))
    (left, right), (top, low) = sides
    return left, top, right, low


def _correlation(one: Bytes, other: Bytes) -> float:
    """Correlation of two rows of grey pixels, -1 to 1."""
    return float(cv2.matchTemplate(one[None], other[None], cv2.TM_CCOEFF_NORMED)[0, 0])


def _resized(grey: Bytes, width: int) -> Bytes:
    """A grey picture with this width in pixels, averaged."""
    size = width, max(1, round(grey.shape[0] * width / grey.shape[1]))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
