"""Camera motion undone: every frame is brought back to where the first ones were."""

from __future__ import annotations

import numpy as np

from vision.boxes import Matrix
from vision.tracking.bump import Bump, Tells
from vision.tracking.small_picture import Bytes, Grey
from vision.tracking.steady import Steady
from vision.tracking.turning import Turning
from vision.types import Image


class CameraMotion:
    """Undoes a turned picture, a knock and jitter, in this order.

    Attributes:
        turned: The newest frame was found to be turned otherwise than the one before.
        other: The newest frame has another shape and another content: nothing known counts any more.
        moving: The camera seems to move, or its new place is unknown yet.
        carried: How everything moved since the frame before (3×3, old pixels → new pixels); None if it did not.
    """

    def __init__(self) -> None:
        self.turned = self.other = self.moving = False
        self.carried: Matrix | None = None
        self._turning, self._bump, self._steady = Turning(), Bump(), Steady()

    @property
    def speed(self) -> float:
        """How fast a jittering camera moved since the frame before, pixels a second."""
        return self._steady.speed

    def blinded(self) -> None:
        """Frames were lost or showed nothing."""
        self._turning.blinded()

    def back(self, image: Image) -> Image:
        """A frame brought back like the newest one."""
        return self._steady.back(self._bump.back(self._turning.back(image)))

    def step(
        self, image: Image, small: Bytes, seconds: float, hands: bool, table: Grey | None, in_place: Tells, bare: bool
    ) -> tuple[Image, Bytes]:
        """Brings the next frame back.

        Args:
            image: (H, W, 3) BGR.
            small: Its small copy, as `shrunk` makes it.
            seconds: When it was taken.
            hands: Whether a hand was in the frame before.
            table: The small copy of the empty table in grey, None while it is unknown.
            in_place: Says of a frame whether the dice in it rest where they did.
            bare: The table is empty and no area was drawn: the view of a knocked camera becomes the new reference.

        Returns:
            The frame and its small copy, both brought back.
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
