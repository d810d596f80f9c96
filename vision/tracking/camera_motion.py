"""What the camera does by itself, undone: every picture as the first ones were, whether it was turned, knocked or
shakes."""

from __future__ import annotations

import numpy as np

from vision.tracking.boxes import Matrix
from vision.tracking.bump import Bump, Tells
from vision.tracking.small_picture import Bytes, Grey
from vision.tracking.steady import Steady
from vision.tracking.turning import Turning
from vision.types import Image


class CameraMotion:
    """Brings pictures back to where, and how, the first ones were.

    Attributes:
        turned: Whether the newest picture was found to be turned otherwise than the one before.
        other: Whether the newest picture has another shape and shows something else: nothing of what was known counts.
        moving: Whether the camera seems to move, or it is not known yet where it has come to.
        carried: How all has moved in the pictures since the one before (3×3, old pixels → new pixels), None if it has
            not.
    """

    def __init__(self) -> None:
        self.turned = self.other = self.moving = False
        self.carried: Matrix | None = None
        self._turning, self._bump, self._steady = Turning(), Bump(), Steady()

    @property
    def speed(self) -> float:
        """How fast a shaking camera has moved since the picture before, pixels a second."""
        return self._steady.speed

    def blinded(self) -> None:
        """Pictures were lost, or showed nothing."""
        self._turning.blinded()

    def back(self, image: Image) -> Image:
        """A picture brought back as the newest was."""
        return self._steady.back(self._bump.back(self._turning.back(image)))

    def step(
        self, image: Image, small: Bytes, seconds: float, hands: bool, table: Grey | None, in_place: Tells, bare: bool
    ) -> tuple[Image, Bytes]:
        """Bring the next picture back.

        Args:
            image: (H, W, 3) BGR.
            small: The same as `shrunk` makes it.
            seconds: When it was taken.
            hands: Whether a hand was in the picture before.
            table: The empty table in grey, of a small picture brought back; None while it is not known.
            in_place: Says of a picture whether the dice in it rest where they did.
            bare: Whether the table is empty and no area was drawn over it: a knocked camera's picture stays as it is.

        Returns:
            The picture and its small copy, both brought back.
        """
        self.carried = None
        if bare and self._bump.moves_back:
            self.carried, self._steady, table = self._bump.stays(), Steady(), None
        image, small = self._turning.step(image, small, seconds, self._bump.finds)
        self.turned, self.other, self.moving = self._turning.turned, self._turning.other, self._turning.searching
        if self.moving:
            return image, small
        image, small = self._bump.step(image, small, seconds, hands, table, in_place)
        self.moving = self._bump.moving
        if self.moving:
            return image, small
        image, small = self._steady.step(image, small, table, seconds)
        if self._steady.carried is not None:
            x, y = self._steady.carried
            self.carried = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)
        return image, small
