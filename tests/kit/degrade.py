"""Camera defects: light, focus, noise, compression, size, mirroring.

Images are (H, W, 3) uint8 BGR. `Degradation` combines such steps and maps boxes back to the original image.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections
from vision.types import Image

ImageChange = Callable[[Image], Image]


def lit(image: Image, gain: float = 1.0, cast: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Image:
    """Changes brightness and colour (factors of blue, green, red); values are clipped."""
    values = image.astype(np.float32) * np.float32(gain) * np.array(cast, np.float32)
    return np.clip(values + 0.5, 0, 255).astype(np.uint8)


def flat(image: Image, share: float) -> Image:
    """Reduces the contrast around middle grey to this share, as through a hazy lens."""
    return np.asarray(cv2.addWeighted(image, share, np.full_like(image, 128), 1 - share, 0), np.uint8)


def grey(image: Image) -> Image:
    """The image without colours."""
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def blurred(image: Image, share: float) -> Image:
    """Defocus: a Gaussian whose standard deviation is this share of the longer side."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), share * max(image.shape[:2])), np.uint8)


def shaken(image: Image, share: float) -> Image:
    """Motion blur down and to the side over this share of the longer side."""
    length = max(3, round(share * max(image.shape[:2])))
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, (0, length // 4), (length - 1, length - 1 - length // 4), 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def noisy(image: Image, sigma: float, gain: float = 1.0, seed: int = 1, grey: bool = False) -> Image:
    """A sensor in low light: darker by `gain`, then noise of this standard deviation (grey levels), per channel or the
    same in all."""
    shape = (*image.shape[:2], 1) if grey else image.shape
    noise = np.random.default_rng(seed).normal(0, sigma, shape).astype(np.float32)
    return np.clip(image * np.float32(gain) + noise, 0, 255).astype(np.uint8)


def packed(image: Image, quality: int) -> Image:
    """JPEG compression of this quality; 0 leaves the image unchanged."""
    if not quality:
        return image
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg(image, quality), np.uint8), cv2.IMREAD_COLOR), np.uint8)


def jpeg(image: Image, quality: int = 90) -> bytes:
    """The image as a JPEG file."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def resized(image: Image, wide: float, high: float) -> Image:
    """The image scaled by these factors of width and height."""
    return np.asarray(cv2.resize(image, None, fx=wide, fy=high, interpolation=cv2.INTER_AREA), np.uint8)


def grain(shape: tuple[int, ...], level: float, size: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """New noise of this standard deviation for every image. Shifted copies of one noise plane would be found as moving
    features.

    Args:
        size: Pixels of smoothing into blotches, which are somewhat stronger.
    """
    found = rng.standard_normal(shape, np.float32) * np.float32(level)
    return np.asarray(cv2.GaussianBlur(found, (0, 0), size) * (1 + size) if size > 0.4 else found, np.float32)


@dataclass(frozen=True, slots=True)
class Degradation:
    """One way in which another camera would have taken an image.

    Attributes:
        name: In tables.
        change: Changes the image once it has its size.
        scale: Factors of width and height.
        flip: 1 mirrored, −1 upside down, as in `cv2.flip`.
    """

    name: str
    change: ImageChange | None = None
    scale: tuple[float, float] = (1.0, 1.0)
    flip: int | None = None

    def of(self, image: Image) -> Image:
        """The changed image."""
        if self.scale != (1.0, 1.0):
            image = resized(image, *self.scale)
        if self.flip is not None:
            image = np.asarray(cv2.flip(image, self.flip), np.uint8)
        return image if self.change is None else self.change(image)

    def back(self, seen: Detections, image: Image) -> Detections:
        """Detections in the changed image, with boxes in pixels of the original."""
        xyxy = np.asarray(seen.xyxy / np.tile(self.scale, 2), np.float32)
        height, width = image.shape[:2]
        if self.flip is not None:
            xyxy[:, [0, 2]] = width - xyxy[:, [2, 0]]
            if self.flip < 0:
                xyxy[:, [1, 3]] = height - xyxy[:, [3, 1]]
        return replace(seen, xyxy=xyxy)
