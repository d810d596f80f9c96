"""Undoes camera motion: every frame is mapped to the view of the first ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.boxes import Matrix
from vision.tracking.constants import CALM_SECONDS, FARTHEST, LONGEST_BUMP, MOSTLY, WIDTH
from vision.tracking.reference import Reference
from vision.tracking.registration import farthest, rescaled, warped_back
from vision.tracking.small_picture import Small, hardly_differs
from vision.tracking.steady import Steady
from vision.types import Image

InPlace = Callable[[Image], bool]


class CameraMotion:
    """Compares each frame with the last calm one, the reference.

    As long as the reference's structure is in place, only jitter is undone. The reference is searched in the frame if
    most of its structure is out of place, if the shape has changed, after lost frames, and once the table comes to
    rest.

    Attributes:
        turned: The newest frame is rotated, mirrored or shaped differently from the one before.
        other: The newest frame has another shape and content, so everything known about the table is void.
        moving: The camera seems to move, or its new position is still unknown.
        new_view: Homography from the old to the new view (3×3, pixels) where the view of a knocked camera becomes the
            new reference; else None.
    """

    def __init__(self) -> None:
        self.turned = self.other = self.moving = False
        self.new_view: Matrix | None = None
        self._last: tuple[Image, Small] | None = None  # the newest frame and its small copy, as taken
        self._seconds = -np.inf  # of the newest frame
        self._held = False  # whether the newest frame equals the one before, as with a still
        self._blind = False  # whether frames were lost since the newest
        self._restart()

    def _restart(self, size: tuple[int, int] = (0, 0)) -> None:
        """Restarts with a frame of this (width, height)."""
        self._view: Matrix = np.eye(3)  # pixels of the first frames → pixels of the newest
        self._size, self._steady = size, Steady()
        self._reference: Reference | None = None  # the last calm frame, mapped back
        self._shown: Small | None = None  # small copy of the newest frame, mapped back
        self._rests_since = self._seconds  # seconds since which the mapped picture rests
        self._restless = False  # whether anything has moved since the last search in a picture at rest
        self._hand = False  # the current motion is a hand
        self._searched_at = -np.inf  # seconds of the last search
        self._reshaped: float | None = None  # seconds when the shape changed; None once that is explained
        # Seconds when an unexplained motion began and was last seen; None without one.
        self._bumped: tuple[float, float] | None = None

    @property
    def speed(self) -> float:
        """Speed of a jittering camera, pixels a second."""
        return self._steady.speed * self._size[0]

    @property
    def moved(self) -> Matrix:
        """Pixels of the first frames → pixels of the newest, jitter included (3×3)."""
        if not self._steady.drifts:
            return self._view
        scale = self._size[0] / WIDTH
        return self._view @ rescaled(self._steady.drift, scale, scale)

    @property
    def moves_back(self) -> bool:
        """Whether frames are mapped back, because the camera is no longer where it was."""
        return not np.array_equal(self.moved, np.eye(3))

    def blinded(self) -> None:
        """Notes that frames were lost or showed nothing."""
        self._blind = True

    def back(self, image: Image) -> Image:
        """Any frame, mapped back like the newest one."""
        return self._warped(image, self.moved)

    def step(
        self,
        image: Image,
        small: Small,
        seconds: float,
        hands: bool = False,
        table: Small | None = None,
        in_place: InPlace = lambda _: False,
        empty: bool = False,
    ) -> tuple[Image, Small]:
        """Maps the next frame to the view of the first ones.

        Args:
            image: (H, W, 3) BGR.
            small: Its small copy.
            seconds: Its time.
            hands: A hand was in the frame before. Over a plain table it looks like a knock.
            table: Small picture of the empty table; None if unknown.
            in_place: Whether the dice in a mapped frame rest in their places, so the camera did not move.
            empty: The table is empty and no zones were drawn, so a knocked camera's view becomes the new reference.

        Returns:
            The mapped frame and its small copy.
        """
        self.turned = self.other = self.moving = False
        self.new_view = None
        last, self._last = self._last, (image, small)
        before, self._seconds = self._seconds, seconds
        held, self._held = self._held, last is not None and image is last[0]
        if last is None or seconds < before:
            self._restart((image.shape[1], image.shape[0]))
            return image, small
        if image.shape != last[0].shape:
            self._reshaped, self._steady = seconds, Steady()
        if self._reshaped is not None:
            return self._fitted(image, small, held)
        if empty and self.moves_back and hardly_differs(last[1], small) and not self._is_turned(self.moved):
            self.new_view, table = self.moved, None
            self._restart(self._size)
        back, small = self._mapped(image, small, self._view)
        self._steady.step(small, table, seconds)
        if self._steady.drifts:
            back, small = self._mapped(image, small, self.moved)
        back, small = self._follow(image, back, small, hands, in_place, before - self._rests_since >= CALM_SECONDS)
        self._shown = small
        if seconds - self._rests_since >= CALM_SECONDS and not self._restless and self._bumped is None:
            self._reference, self._hand = Reference(back, small, table), False
        return back, small

    def _follow(
        self, image: Image, back: Image, small: Small, hands: bool, in_place: InPlace, calm: bool
    ) -> tuple[Image, Small]:
        """The frame and its small copy, mapped back by another view if one is found. calm: the picture was at rest."""
        seconds, rests = self._seconds, self._shown is None or hardly_differs(self._shown, small)
        if not rests:
            self._rests_since, self._restless = seconds, self._reference is not None
        if self._reference is None:
            return back, small
        touched = not rests and not self._hand and self._reference.touched_share(small) > MOSTLY and not in_place(back)
        if touched:
            self._bumped = self._bumped[0] if self._bumped else seconds, seconds
        elif self._bumped and seconds - self._bumped[1] > 2 * LONGEST_BUMP:
            self._bumped = None
        sudden = self._blind or (calm and not rests and self._reference.changed_share(small) > MOSTLY)
        due = (rests and self._restless) or (self._bumped and (hands or seconds - self._bumped[0] >= CALM_SECONDS))
        if sudden or (due and seconds - self._searched_at >= CALM_SECONDS):
            self._blind, self._searched_at, self._restless = False, seconds, not rests
            known_view, bumped = self.moved, self._bumped is not None
            found = self._reference.view(image, known_view, spread=not sudden, bumped=bumped)
            self.turned = found is not None and self._is_turned(np.linalg.inv(known_view) @ found)
            if found is not None and found is not known_view and not self.turned and in_place(back):
                found = known_view  # the dice show that the camera did not move
            if found is not None:
                self._bumped = None if found is known_view or rests or self.turned else (seconds, seconds)
            self._hand = not rests and (found is known_view or (found is None and hands))
            if found is not None and found is not known_view:
                self._view, self._steady = found, Steady()
                back, small = self._mapped(image, small, found)
        if self._bumped:
            began, moved = self._bumped
            self.moving = not hands and seconds - began < LONGEST_BUMP and (touched or self._searched_at < moved)
        return back, small

    def _fitted(self, image: Image, small: Small, held: bool) -> tuple[Image, Small]:
        """A frame of another shape and its small copy, mapped back if it shows the reference."""
        assert self._reshaped is not None
        found = None if self._reference is None else self._reference.view(image, np.eye(3), spread=False)
        if found is not None:
            self._view, self._reshaped, self._bumped, self.turned = found, None, None, True
            return self._mapped(image, small, found)
        self.moving = not held and self._seconds - self._reshaped < LONGEST_BUMP and self._reference is not None
        if not self.moving:
            self.other = not held
            self._restart((image.shape[1], image.shape[0]))
        return image, small

    def _mapped(self, image: Image, small: Small, moved: Matrix) -> tuple[Image, Small]:
        """The frame mapped back (3×3, pixels of the first frames → pixels of this one), and its small copy."""
        back = self._warped(image, moved)
        return back, small if back is image else Small.of(back)

    def _warped(self, image: Image, moved: Matrix) -> Image:
        if image.shape[1::-1] == self._size and np.array_equal(moved, np.eye(3)):
            return image
        return warped_back(image, moved, self._size)

    def _is_turned(self, moved: Matrix) -> bool:
        """Whether this is more than a knock: a mirrored picture, or one that moved far."""
        return bool(np.linalg.det(moved[:2, :2]) < 0) or farthest(moved, self._size) > FARTHEST
