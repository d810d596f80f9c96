"""Follows a knocked camera: registers its frames to the last calm one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from vision.boxes import Matrix
from vision.tracking.constants import (
    CALM_SECONDS,
    FARTHEST,
    JITTER,
    LEAST_PARTS,
    LONGEST_BUMP,
    MOSTLY,
    STRUCTURE,
    STRUCTURED,
    TOUCHED_PART,
    UNTOUCHED,
    WIDTH,
)
from vision.tracking.regions import Mask, shares
from vision.tracking.registration import PictureFeatures, farthest, registered, warped_back
from vision.tracking.small_picture import Small, changed, hardly_differs
from vision.tracking.steady import moved_by, shift_between
from vision.tracking.turn import Landmarks
from vision.types import Image

InPlace = Callable[[Image], bool]

_CELLS = (16, 12)  # cells across and down


class Bump:
    """Compares each frame with the last calm one.

    If most of that frame's structure is no longer seen in place, the camera may have been knocked. Once the picture
    rests, the frame is registered to the calm one.
    """

    def __init__(self) -> None:
        self.moved: Matrix = np.eye(3)  # pixels of the first frames → pixels of the newest
        self.moving = False  # the camera seems to move, or its new position is still unknown
        self._calm: tuple[Image, Small] | None = None  # the last calm frame, registered
        self._features: PictureFeatures | None = None  # its features, once needed
        self._table: Mask = np.zeros((0, 0), np.bool_)  # where the calm frame shows the table
        self._last: Small | None = None
        self._seconds = -np.inf  # of the newest picture
        self._since = -np.inf  # seconds since which the picture rests
        # Seconds when an unexplained motion began and was last seen; None without one.
        self._bumped: tuple[float, float] | None = None
        self._tried = -np.inf  # seconds of the last attempt to register
        self._hand = False  # the current motion is a hand
        self._follows = False  # a registration was found, possibly while the camera still moved

    def step(
        self,
        image: Image,
        small: Small,
        seconds: float,
        hands: bool = False,
        table: Small | None = None,
        in_place: InPlace = lambda _: False,
    ) -> tuple[Image, Small]:
        """Registers the next frame.

        Args:
            image: (H, W, 3) BGR.
            small: Its small copy.
            hands: A hand was in the frame before. Over a plain table it looks like a knock.
            table: Small picture of the empty table; None if unknown.
            in_place: Whether the dice in a registered frame are where they rested, which means that the camera did not
                move.

        Returns:
            The frame and its small copy, registered as well as possible.
        """
        last, self._last = self._last, small
        again, self._seconds = seconds < self._seconds, seconds
        if last is None or last.shape != small.shape or again:  # the picture was rotated, or the film restarts
            self.moved, self._calm, self._since, self.moving = np.eye(3), None, seconds, False
            self._bumped, self._hand, self._follows = None, False, False
            return image, small
        rests = hardly_differs(last, small)
        self._since = self._since if rests else seconds
        back = self.back(image)
        small = small if back is image else Small.of(back)
        self.moving = not rests and not self._hand and self._touched(small) > (1 - UNTOUCHED if hands else MOSTLY)
        if self.moving:
            self._bumped = (self._bumped[0] if self._bumped else seconds), seconds
        elif self._bumped and seconds - self._bumped[1] > 2 * LONGEST_BUMP:
            self._bumped, self._follows = None, False
        if self._bumped and in_place(back):  # the camera did not move, or has only just begun to
            self.moving = False
            if seconds - self._bumped[0] >= CALM_SECONDS:
                self._bumped, self._follows = None, False
        elif self._bumped:
            began, moved = self._bumped
            doubtful = seconds - began < LONGEST_BUMP and (self.moving or self._tried < moved)
            self.moving = (doubtful or self._follows) and not hands  # do not suppress what a hand does
            return self._explained(image, back, small, seconds, hands)
        if seconds - self._since >= CALM_SECONDS:
            self._table = np.ones(small.shape, np.bool_)
            if table is not None and table.shape == small.shape:
                self._table = ~changed(table, small)
            self._calm, self._features, self._since, self._hand = (back, small), None, seconds, False
        return back, small

    @property
    def moves_back(self) -> bool:
        """Whether frames are mapped back, because the camera is no longer where it was."""
        return not np.array_equal(self.moved, np.eye(3))

    def back(self, image: Image) -> Image:
        """Any frame, mapped back like the newest one."""
        return warped_back(image, self.moved) if self.moves_back else image

    def finds(self, image: Image, mirrored: bool) -> bool | None:
        """Whether the camera was rotated, or moved farther than a knock moves it; None if unknown. If so, later frames
        are mapped back accordingly.

        Args:
            mirrored: The frame was mirrored, so any distance counts.
        """
        if self._calm is None or self._calm[0].shape != image.shape:
            return None
        self._features = self._features or PictureFeatures.of(self._calm[0])
        found = registered(self._features, PictureFeatures.of(image), self.moved, anywhere=True)
        if found is None or found is self.moved:
            return None if found is None else False
        if not mirrored and farthest(found, image.shape[1::-1]) <= FARTHEST:
            return False
        if Landmarks(self._calm[0]).share_in(warped_back(image, found)) < MOSTLY:
            return None
        self.moved, self.moving, self._bumped, self._follows = found, False, None, False
        return True

    def stays(self) -> Matrix:
        """Accepts the present view as the new reference. Returns the homography from the old to the new view (3×3,
        pixels)."""
        moved, self.moved, self._calm, self._bumped = self.moved, np.eye(3), None, None
        return moved

    def _touched(self, now: Small) -> float:
        """Share of the calm frame's structure that is no longer seen in place, 0..1; 0 if too little structure is
        visible."""
        if self._calm is None:
            return 0.0
        known = self._calm[1]
        touched = self._parts_touched(known, now)
        if touched > MOSTLY:
            (x, y), _ = shift_between(known.pixels, now.pixels)
            if max(abs(x), abs(y)) <= JITTER * WIDTH:
                touched = min(touched, self._parts_touched(known, Small(moved_by(now.pixels, x, y))))
        return touched

    def _parts_touched(self, known: Small, now: Small) -> float:
        """Share of the frame's parts that have changed, 0..1. A hand or a die changes few parts, however large it
        is."""
        edges = (known.span > STRUCTURE) & self._table
        there = shares(edges, _CELLS)
        structured = there > STRUCTURED
        touched = structured & (shares(edges & changed(known, now), _CELLS) > TOUCHED_PART * there)
        in_parts, of_them = _in_parts(structured), _in_parts(touched)
        parts = in_parts > 0
        return float((of_them > MOSTLY * in_parts)[parts].mean()) if parts.sum() >= LEAST_PARTS else 0.0

    def _explained(self, image: Image, back: Image, small: Small, seconds: float, hands: bool) -> tuple[Image, Small]:
        """The frame and its small copy, registered if a registration explains the recent motion."""
        assert self._calm is not None
        assert self._bumped is not None
        if seconds - (self._tried if hands else max(self._tried, self._bumped[0])) < CALM_SECONDS:
            return back, small
        if not self._follows and self._touched(small) < MOSTLY:  # the camera is back in its place
            self._bumped, self.moving = None, False
            return back, small
        self._tried = seconds
        self._features = self._features or PictureFeatures.of(self._calm[0])
        found = registered(self._features, PictureFeatures.of(image), self.moved)
        if (
            found is not None
            and found is not self.moved
            and self._touched(Small.of(warped_back(image, found))) > MOSTLY
        ):
            found = None  # it does not explain the frame
        follows, self._follows = self._follows, found is not None and found is not self.moved
        self._hand = not follows and (found is self.moved or (found is None and hands))
        if found is None:
            return back, small
        self.moving = False
        if found is self.moved:  # the camera did not move
            self._bumped = None
            return back, small
        self.moved = found
        back = self.back(image)
        return back, Small.of(back)


def _in_parts(cells: Mask) -> npt.NDArray[np.int64]:
    """(3, 4) The number of true cells in each part of the frame."""
    return np.asarray(cells.reshape(3, 4, 4, 4).sum(axis=(1, 3)))
