"""Undoes camera motion: every frame is mapped to the view of the first ones."""

from __future__ import annotations

from vision.boxes import Matrix
from vision.tracking.bump import Bump, InPlace
from vision.tracking.small_picture import Small
from vision.tracking.steady import Steady
from vision.tracking.turning import Turning
from vision.types import Image


class CameraMotion:
    """Undoes a rotation of the picture, then a knock, then jitter.

    Attributes:
        turned: The newest frame is rotated or mirrored differently from the one before.
        other: The newest frame has another shape and content, so everything known about the table is void.
        moving: The camera seems to move, or its new position is still unknown.
        carried: Homography from the old to the new view (3×3, pixels) where the view of a knocked camera becomes the
            new reference; else None.
    """

    def __init__(self) -> None:
        self.turned = self.other = self.moving = False
        self.carried: Matrix | None = None
        self._turning, self._bump, self._steady = Turning(), Bump(), Steady()

    @property
    def speed(self) -> float:
        """Speed of a jittering camera, pixels a second."""
        return self._steady.speed

    def blinded(self) -> None:
        """Notes that frames were lost or showed nothing."""
        self._turning.blinded()

    def back(self, image: Image) -> Image:
        """Any frame, mapped back like the newest one."""
        return self._steady.back(self._bump.back(self._turning.back(image)))

    def step(
        self,
        image: Image,
        small: Small,
        seconds: float,
        hands: bool,
        table: Small | None,
        in_place: InPlace,
        bare: bool,
    ) -> tuple[Image, Small]:
        """Maps the next frame to the view of the first ones.

        Args:
            image: (H, W, 3) BGR.
            small: Its small copy.
            seconds: Its time.
            hands: A hand was in the frame before.
            table: Small picture of the empty table; None if unknown.
            in_place: Whether the dice in a frame rest in their places.
            bare: The table is empty and no zones were drawn, so the view of a knocked camera becomes the new reference.

        Returns:
            The mapped frame and its small copy.
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
        return self._steady.step(image, small, table, seconds)
