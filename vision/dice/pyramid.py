"""Image pyramid: copies of half, a quarter and an eighth of the size, from which smaller versions are sampled."""

from __future__ import annotations

import cv2
import numpy as np

from vision.types import Image

HALVED = 0.6  # coarser sampling than this uses the next level
LOW = 2 / 3  # share of a frame's height from which a die is low in it


class ImagePyramid:
    """Builds each level when it is first needed.

    Sampling a large image directly would alias fine pips, and OpenCV halves several times faster than it averages
    blocks of other sizes.

    Args:
        image: (H, W, 3) uint8.
        low: Share of its height from which a die is low in the frame, where the image is a piece of one.

    Attributes:
        low: The row from which a die is low in the frame.
    """

    def __init__(self, image: Image, low: float = LOW) -> None:
        self._copies = [image]
        self.low = low * len(image)

    @property
    def image(self) -> Image:
        """The full-size image."""
        return self._copies[0]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.shape[1], self.image.shape[0]

    def near(self, scale: float) -> tuple[Image, int]:
        """The level from which bilinear resampling by 0.6 to 1.2 gives the wanted scale, and how many image pixels one
        of its pixels is wide.

        Args:
            scale: Wanted pixels for each pixel of the image.
        """
        level = 0
        while scale * 2**level < HALVED and min(self._at(level).shape[:2]) > 1:
            level += 1
        return self._at(level), 2**level

    def resized(self, size: tuple[int, int]) -> Image:
        """The image in this (width, height)."""
        copy, _ = self.near(size[0] / self.image.shape[1])
        if size == copy.shape[1::-1]:
            return copy
        return np.asarray(cv2.resize(copy, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)

    def _at(self, level: int) -> Image:
        while len(self._copies) <= level:
            self._copies.append(_half(self._copies[-1]))
        return self._copies[level]


def _half(image: Image) -> Image:
    """Averages blocks of two by two pixels and drops an odd last row or column. Bilinear sampling halfway between
    pixels gives this mean in half the time of area averaging."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
