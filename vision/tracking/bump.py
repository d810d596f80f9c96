"""A camera that was knocked: once it stands again its pictures are moved back to where they were."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.tracking.boxes import Matrix
from vision.tracking.constants import (
    BUMPED_SECONDS,
    CALM_SECONDS,
    EDGE,
    FARTHEST,
    LEAST_PARTS,
    LONGEST_BUMP,
    MOSTLY,
    STRUCTURED,
    TOUCHED_PART,
    TREMBLES,
    TRY_SECONDS,
    UNTOUCHED,
    WIDTH,
)
from vision.tracking.regions import Mask
from vision.tracking.registration import Features, farthest, registered, warped_back
from vision.tracking.small_picture import Bytes, Grey, Small, changed, hardly_differs, shrunk
from vision.tracking.steady import moved_by, shift_between
from vision.tracking.turn import Landmarks
from vision.types import Image

Tells = Callable[[Image], bool]

_CELLS = (16, 12)  # the picture is cut into so many across and down


class Bump:
    """Compares each picture with the last one in which nothing moved. Where hardly anything of it is to be seen in its
    place the camera may have been bumped; when that is over the picture is registered with the calm one.
    """

    def __init__(self) -> None:
        self.moved: Matrix = np.eye(3)  # pixels of the first pictures → pixels of the newest
        self.moving = False  # whether the camera seems to move now, or nobody knows yet where it has come to
        self._calm: tuple[Image, Small] | None = None  # the last picture in which nothing moved, moved back …
        self._features: Features | None = None  # … its features, once asked for
        self._lay: Mask = np.zeros((0, 0), np.bool_)  # … and where it shows the table
        self._last: Grey = np.zeros((0, 0), np.float32)
        self._seconds = -np.inf  # of the newest picture
        self._since = -np.inf  # seconds since when hardly anything has changed
        # Seconds when it began to move, and last did; None where that is over and explained.
        self._bumped: tuple[float, float] | None = None
        self._tried = -np.inf  # seconds when it was last tried to find out how
        self._hand = False  # it was found to be a hand: so is all that follows until nothing moves
        self._follows = False  # how it was moved has been found, perhaps while it still was

    def step(
        self,
        image: Image,
        small: Bytes,
        seconds: float,
        hands: bool = False,
        table: Grey | None = None,
        in_place: Tells = lambda _: False,
    ) -> tuple[Image, Bytes]:
        """The next picture (H, W, 3) and its small copy as `shrunk` makes it, both moved back as far as is known.
        hands: one was in the picture before; what it does over a plain table looks like a bump. table: what the small
        copy of the empty table shows in grey, as far as is known. in_place: tells of a picture moved back whether what
        lay there is seen where it lay; then it stands, whatever hands or a camera that seeks its focus have changed."""
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
        last, self._last = self._last, grey
        again, self._seconds = seconds < self._seconds, seconds
        if last.shape != grey.shape or again:  # the picture was turned, or the film begins anew
            self.moved, self._calm, self._since, self.moving = np.eye(3), None, seconds, False
            self._bumped, self._hand, self._follows = None, False, False
            return image, small
        rests = hardly_differs(last, grey)
        self._since = self._since if rests else seconds
        back = self.back(image)
        small = small if back is image else shrunk(back)
        self.moving = not rests and not self._hand and self._touched(small) > (1 - UNTOUCHED if hands else MOSTLY)
        if self.moving:
            self._bumped = (self._bumped[0] if self._bumped else seconds), seconds
        elif self._bumped and seconds - self._bumped[1] > BUMPED_SECONDS:
            self._bumped, self._follows = None, False
        if self._bumped and in_place(back):  # it stands, or has only just begun to move
            self.moving = False
            if seconds - self._bumped[0] >= TRY_SECONDS:
                self._bumped, self._follows = None, False
        elif self._bumped:
            began, moved = self._bumped
            doubtful = seconds - began < LONGEST_BUMP and (self.moving or self._tried < moved)
            self.moving = (doubtful or self._follows) and not hands  # what a hand does is not to be missed
            return self._explained(image, back, small, seconds, hands)
        if seconds - self._since >= CALM_SECONDS:
            now = _small(small)
            self._lay = np.ones(now.pixels.shape, np.bool_)
            if table is not None and table.shape == now.pixels.shape:
                self._lay = ~changed(Small.of(table), now)
            self._calm, self._features, self._since, self._hand = (back, now), None, seconds, False
        return back, small

    @property
    def moves_back(self) -> bool:
        """Whether it moves pictures back."""
        return not np.array_equal(self.moved, np.eye(3))

    def back(self, image: Image) -> Image:
        """A picture moved back as the newest was."""
        return warped_back(image, self.moved) if self.moves_back else image

    def finds(self, image: Image, mirrored: bool) -> bool | None:
        """Whether the camera was turned by an angle, or put elsewhere, farther than a knock does; pictures are then
        moved back by that. None where that cannot be told. mirrored: this one was, however far it is."""
        if self._calm is None or self._calm[0].shape != image.shape:
            return None
        self._features = self._features or Features.of(self._calm[0])
        found = registered(self._features, Features.of(image), self.moved, anywhere=True)
        if found is None or found is self.moved:
            return None if found is None else False
        if not mirrored and farthest(found, image.shape[1::-1]) <= FARTHEST:
            return False
        if Landmarks(self._calm[0]).share_in(warped_back(image, found)) < MOSTLY:
            return None
        self.moved, self.moving, self._bumped, self._follows = found, False, None, False
        return True

    def stays(self) -> Matrix:
        """What the camera shows now is from here on where it stands. Returns how all has moved with it (3×3, pixels of
        the pictures moved back → pixels as they are taken)."""
        moved, self.moved, self._calm, self._bumped = self.moved, np.eye(3), None, None
        return moved

    def _touched(self, small: Bytes) -> float:
        """How much of what the calm picture showed of the table is no longer to be seen where it was, as a share of the
        parts of the picture that showed anything; of what a hand leaves alone nothing is. 0 where too little was to be
        seen, and little where the camera but trembles."""
        if self._calm is None:
            return 0.0
        known, now = self._calm[1], _small(small)
        touched = self._parts_touched(known, now)
        if touched > MOSTLY:
            (x, y), _ = shift_between(known.pixels, now.pixels)
            if max(abs(x), abs(y)) <= TREMBLES * WIDTH:
                touched = min(touched, self._parts_touched(known, Small.of(moved_by(now.pixels, x, y))))
        return touched

    def _parts_touched(self, known: Small, now: Small) -> float:
        """A hand or a die is one thing among others: it touches few parts, however much of all it is."""
        edges = (known.span > EDGE) & self._lay
        there = _in_cells(edges)
        told = there > STRUCTURED
        touched = told & (_in_cells(edges & changed(known, now)) > TOUCHED_PART * there)
        tell, of_them = _in_parts(told), _in_parts(touched)
        parts = tell > 0
        return float((of_them > MOSTLY * tell)[parts].mean()) if parts.sum() >= LEAST_PARTS else 0.0

    def _explained(self, image: Image, back: Image, small: Bytes, seconds: float, hands: bool) -> tuple[Image, Bytes]:
        """The picture moved back, if it can be told now how the camera has been moved a moment ago."""
        assert self._calm is not None
        assert self._bumped is not None
        if seconds - (self._tried if hands else max(self._tried, self._bumped[0])) < TRY_SECONDS:
            return back, small
        if not self._follows and self._touched(small) < MOSTLY:  # it is back, or has hardly moved
            self._bumped, self.moving = None, False
            return back, small
        self._tried = seconds
        self._features = self._features or Features.of(self._calm[0])
        found = registered(self._features, Features.of(image), self.moved)
        if found is not None and found is not self.moved and self._touched(shrunk(warped_back(image, found))) > MOSTLY:
            found = None  # it does not explain what is seen
        follows, self._follows = self._follows, found is not None and found is not self.moved
        self._hand = not follows and (found is self.moved or (found is None and hands))
        if found is None:
            return back, small
        self.moving = False
        if found is self.moved:  # it stands
            self._bumped = None
            return back, small
        self.moved = found
        back = self.back(image)
        return back, shrunk(back)


def _in_cells(mask: Mask) -> Grey:
    """The share of each cell of a picture in which something is true."""
    return np.asarray(cv2.resize(mask.astype(np.float32), _CELLS, interpolation=cv2.INTER_AREA), np.float32)


def _in_parts(cells: Mask) -> npt.NDArray[np.int64]:
    """(3, 4) In how many of the cells of each part of a picture something is true."""
    return np.asarray(cells.reshape(3, 4, 4, 4).sum(axis=(1, 3)))


def _small(picture: Bytes) -> Small:
    return Small.of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
