"""A picture and its copies half, a quarter, an eighth as large: what is shown smaller is made from the nearest."""

from __future__ import annotations

import cv2
import numpy as np

from vision.types import Image

HALVED = 0.6  # what is sampled more coarsely than that from one copy is taken from the next


class Pyramid:
    """Makes each copy once, when it is first asked for. image: (H, W, 3) uint8.

    Fine pips turn to noise where a large picture is sampled here and there, so it must be averaged first, and OpenCV is
    several times as quick at halves as at blocks of other sizes.
    """

    def __init__(self, image: Image) -> None:
        self._copies = [image]

    @property
    def image(self) -> Image:
        """The picture itself."""
        return self._copies[0]

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        return self.image.shape[1], self.image.shape[0]

    def near(self, scale: float) -> tuple[Image, int]:
        """The copy from which a bilinear resampling by 0.6 to 1.2 remains, and how many of the picture's pixels its
        pixels are wide. scale: pixels of what is wanted for each pixel of the picture."""
        level = 0
        while scale * 2**level < HALVED and min(self._at(level).shape[:2]) > 1:
            level += 1
        return self._at(level), 2**level

    def resized(self, size: tuple[int, int]) -> Image:
        """The picture in this (width, height)."""
        copy, _ = self.near(size[0] / self.image.shape[1])
        if size == copy.shape[1::-1]:
            return copy
        return np.asarray(cv2.resize(copy, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)

    def _at(self, level: int) -> Image:
        while len(self._copies) <= level:
            self._copies.append(_half(self._copies[-1]))
        return self._copies[level]


def _half(image: Image) -> Image:
    """The means of blocks of two by two pixels; an odd last row or column is dropped. Halfway between two pixels
    is their mean, so bilinear sampling does it, and in half the time of averaging areas."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
