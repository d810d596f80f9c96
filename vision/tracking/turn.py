"""Detects how a picture was rotated, mirrored or resized, and maps it back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from vision.tracking.constants import (
    BLACK_SHARE,
    DARK_LEVEL,
    LEAST_PARTS,
    LEAST_STRUCTURE,
    MOSTLY,
    SAME_PATTERN,
    STRUCTURE,
    STRUCTURED,
    TURN_AGAINST,
    UNTOUCHED,
    WIDTH,
)
from vision.tracking.regions import Mask, shares
from vision.tracking.small_picture import Bytes, Small, alike
from vision.types import Box, Image

_WHOLE: Box = (0.0, 0.0, 1.0, 1.0)
_FINER = 4  # enlargement before rotating and stretching, which would blur a picture of the compared size
_SAME_SHAPE = 0.01  # maximum relative difference between the scales of width and height
_COARSE = 40  # width of the picture, pixels, for a quick check whether any turn is possible
_PARTS = (4, 3)  # parts of the picture across and down


@dataclass(frozen=True, slots=True)
class Turn:
    """How to map a picture back: cut out a part, transpose it, flip it, then place it.

    Attributes:
        transposed: Rows become columns.
        flip: OpenCV's code of the flip (0 upside down, 1 left to right, -1 both), None for none.
        part: The part of the picture that is used, relative to its width and height.
        into: Its place, relative to the earlier pictures' width and height; may extend beyond them.
    """

    transposed: bool = False
    flip: int | None = None
    part: Box = _WHOLE
    into: Box = _WHOLE

    def back(self, image: Bytes, size: tuple[int, int]) -> Bytes:
        """A picture, (H, W) or (H, W, 3), mapped back to an earlier (width, height).

        Its edge is repeated where it shows nothing. Without any change, the same array is returned, not a copy.
        """
        if self == UNTURNED and image.shape[1::-1] == size:
            return image
        left, top, right, low = _pixels(self.part, (image.shape[1], image.shape[0]))
        back = image[top:low, left:right]
        if self.transposed:
            back = np.asarray(cv2.transpose(back), np.uint8)
        if self.flip is not None:
            back = np.asarray(cv2.flip(back, self.flip), np.uint8)
        left, top, right, low = _pixels(self.into, size)
        wide, high = right - left, low - top
        if back.shape[1::-1] != (wide, high):
            how = cv2.INTER_AREA if wide < back.shape[1] else cv2.INTER_LINEAR
            back = np.asarray(cv2.resize(back, (wide, high), interpolation=how), np.uint8)
        back = back[max(0, -top) : high - max(0, low - size[1]), max(0, -left) : wide - max(0, right - size[0])]
        beyond = max(0, top), max(0, size[1] - low), max(0, left), max(0, size[0] - right)
        return np.asarray(cv2.copyMakeBorder(back, *beyond, cv2.BORDER_REPLICATE), np.uint8) if any(beyond) else back

    @property
    def mirrored(self) -> Turn:
        """This turn followed by mirroring left to right."""
        return replace(self, flip={None: 1, 1: None, 0: -1, -1: 0}[self.flip])


UNTURNED = Turn()


class Landmarks:
    """The structure of an earlier picture, which can be recognised in any orientation and light.

    Attributes:
        size: (width, height) of the picture in pixels.
        patterned: There is more structure than dice alone would give.
        lost: The picture searched last shows little of it in place.
    """

    def __init__(self, image: Image) -> None:
        """Finds landmarks in the image, (H, W, 3) BGR."""
        self.size = (image.shape[1], image.shape[0])
        grey = _grey(image, WIDTH)
        self._small = Small(grey)
        self._structure: Mask = np.asarray(self._small.span > STRUCTURE, np.bool_)
        self._coarse = _resized(grey, _COARSE)
        self.patterned, self.lost = bool(self._structure.mean() > STRUCTURED), False

    def turn(self, image: Image, stands: Turn, spread: bool) -> Turn | None:
        """The turn of a later picture of the same table.

        Args:
            image: (H, W, 3) BGR, of any shape.
            stands: The turn known so far. Another turn replaces it only if it explains most of the structure that this
                one does not, and nearly all that this one does.
            spread: Only structure recognised in several parts of the picture counts.

        Returns:
            `stands` if everything is in place, None if no turn explains the picture.
        """
        small = _grey(image, _FINER * WIDTH)
        in_place = self._seen(small, stands)
        self.lost = bool(np.count_nonzero(in_place) < UNTOUCHED * np.count_nonzero(self._structure))
        gone = self._structure & ~in_place
        if np.count_nonzero(gone) < LEAST_STRUCTURE:
            return stands
        best, most = None, 0.0
        for turn in self._likely(small, stands):
            shown = self._shown(turn)
            due = np.count_nonzero(gone & shown)
            if due < max(LEAST_STRUCTURE, UNTOUCHED * np.count_nonzero(gone)):
                continue
            seen = self._seen(small, turn)
            found, lost = gone & seen, np.count_nonzero(in_place & shown & ~seen)
            for_it = np.count_nonzero(found)
            if for_it < max(MOSTLY * due, TURN_AGAINST * lost) or for_it - lost <= most:
                continue
            if not spread or _parts_with(found) >= LEAST_PARTS:
                best, most = turn, float(for_it - lost)
        return best

    def share_in(self, image: Image) -> float:
        """Share of the structure that a later picture of the same size shows in place, 0..1."""
        seen = self._seen(_grey(image, _FINER * WIDTH), UNTURNED)
        return float(seen.sum()) / max(float(self._structure.sum()), 1.0)

    def _likely(self, small: Bytes, stands: Turn) -> Iterator[Turn]:
        """Turns under which a later picture resembles the earlier one more than under `stands`."""
        coarse, size = _resized(small, WIDTH), self._coarse.shape[1::-1]
        plain = stands.back(coarse, size)
        for turn in _turns(self.size, small):
            left, top, right, low = (max(0, side) for side in _pixels(turn.into, size))
            known, back, stood = (one[top:low, left:right] for one in (self._coarse, turn.back(coarse, size), plain))
            if _correlation(known, back) > _correlation(known, stood):
                yield turn

    def _seen(self, small: Bytes, turn: Turn) -> Mask:
        """(h, w) mask of the structure that a small later picture shows under this turn."""
        back = turn.back(small, self._small.grey.shape[1::-1])
        patterns = alike(self._small, Small(back))
        return np.asarray(self._structure & self._shown(turn) & (patterns > SAME_PATTERN))

    def _shown(self, turn: Turn) -> Mask:
        """(h, w) mask of the small pixels that a picture covers under this turn."""
        left, top, right, low = (max(0, side) for side in _pixels(turn.into, self._small.grey.shape[1::-1]))
        shown = np.zeros(self._small.shape, np.bool_)
        shown[top:low, left:right] = True
        return shown


def fitted(image: Image, size: tuple[int, int]) -> Turn:
    """The turn that fits a picture of another shape into an earlier (width, height)."""
    return Turn(into=_middle(image.shape[1::-1], size, min(size[0] / image.shape[1], size[1] / image.shape[0])))


def _turns(size: tuple[int, int], grey: Bytes) -> Iterator[Turn]:
    """All ways in which a picture may have been changed: the eight symmetries of a rectangle, with or without black
    bars, and stretched to the earlier (width, height), fitted into it, or filling it."""
    for part, transposed, flip in product({_WHOLE, _between_bars(grey)}, (False, True), (None, 0, 1, -1)):
        wide, high = (part[2] - part[0]) * grey.shape[1], (part[3] - part[1]) * grey.shape[0]
        wide, high = (high, wide) if transposed else (wide, high)
        scales = size[0] / wide, size[1] / high
        yield Turn(transposed, flip, part)
        if max(scales) > min(scales) * (1 + _SAME_SHAPE):
            for scale in scales:
                yield Turn(transposed, flip, part, _middle((wide, high), size, scale))


def _middle(shape: tuple[float, float], size: tuple[int, int], scale: float) -> Box:
    """The place of a scaled (width, height) centred in `size`, relative to `size`."""
    x, y = scale * shape[0] / size[0] / 2, scale * shape[1] / size[1] / 2
    return 0.5 - x, 0.5 - y, 0.5 + x, 0.5 + y


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


def _parts_with(mask: Mask) -> int:
    """Number of parts of a small picture in which the mask is true."""
    return int(np.count_nonzero(shares(mask, _PARTS)))


def _correlation(one: Bytes, other: Bytes) -> float:
    """Correlation of two grey pictures of the same size, -1 to 1."""
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0])


def _grey(image: Image, width: int) -> Bytes:
    """A picture in grey with this width in pixels."""
    return _resized(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), width)


def _resized(grey: Bytes, width: int) -> Bytes:
    """A grey picture with this width in pixels, averaged."""
    size = width, max(1, round(grey.shape[0] * width / grey.shape[1]))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _pixels(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A relative box in whole pixels of a picture of this (width, height), at least one pixel wide and high."""
    left, top = round(box[0] * size[0]), round(box[1] * size[1])
    return left, top, max(left + 1, round(box[2] * size[0])), max(top + 1, round(box[3] * size[1]))
