"""A small grey copy of a frame with coarse colours, and how two of them differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.tracking.constants import LEAST_CHANGE, OTHER_COLOUR, PATTERN, SHAKE, WIDTH
from vision.tracking.regions import Mask

Grey = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

_DIFFERS = 0.01  # share of a picture: a smaller change counts as none
_AROUND = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class Small:
    """A small grey picture. What comparisons need is computed on demand, once.

    Attributes:
        grey: (H, W) grey levels.
        colour: (H, W, 3) BGR; empty if unknown.
    """

    grey: Grey | Bytes
    colour: Bytes = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8))

    @classmethod
    def of(cls, image: Bytes) -> Small:
        """The small copy of a frame, (H, W, 3) BGR."""
        colour = shrunk(image)
        return cls(np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8), colour)

    @property
    def shape(self) -> tuple[int, ...]:
        """(H, W)."""
        return self.grey.shape

    @cached_property
    def pixels(self) -> Grey:
        """(H, W) grey levels."""
        return np.asarray(self.grey, np.float32)

    @cached_property
    def level(self) -> float:
        """Median grey level. A histogram gives it ten times faster than sorting."""
        counts = np.bincount(self.grey.astype(np.uint8).ravel(), minlength=256)
        return max(float(counts.cumsum().searchsorted(self.grey.size / 2)), 1.0)

    @cached_property
    def span(self) -> Grey:
        """(H, W) range of each pixel's neighbourhood, grey levels."""
        return np.asarray(span_of(self.grey), np.float32)

    @cached_property
    def hues(self) -> Bytes:
        """(H, W, 2) half of red − green and blue − green, plus 128; half, so that their noise equals that of grey."""
        blue, green, red = cv2.split(self.colour)
        return np.asarray(cv2.merge([cv2.addWeighted(one, 0.5, green, -0.5, 128) for one in (red, blue)]), np.uint8)

    @cached_property
    def hue_span(self) -> Bytes:
        """(H, W, 2) range of each neighbourhood in `hues`."""
        return np.asarray(span_of(self.hues), np.uint8)

    @cached_property
    def pattern(self) -> tuple[Grey, Grey]:
        """(H, W) logarithm of each pixel's brightness relative to its neighbours, and the mean square around it."""
        light = cv2.log(self.pixels + np.float32(LEAST_CHANGE))
        detail = cv2.subtract(light, cv2.blur(light, _AROUND.shape))
        return np.asarray(detail, np.float32), np.asarray(cv2.blur(cv2.multiply(detail, detail), PATTERN), np.float32)

    def shaded(self, table: Small, hues: Grey) -> Mask:
        """(H, W) Whether each pixel with these hues may show the table in less light: all colours fade alike, as does
        the pattern."""
        light = self.pixels / np.maximum(table.pixels, np.float32(LEAST_CHANGE))
        apart = np.abs(self.hues.astype(np.float32) - 128 - (hues - 128) * light[..., None])
        same = (apart <= self.hue_span + np.float32(OTHER_COLOUR)).all(axis=2)
        return np.asarray(same & (light < 1) & (table.span * light < LEAST_CHANGE))


def span_of(pixels: Any) -> Any:
    """Range of each pixel's neighbourhood."""
    return cv2.subtract(cv2.dilate(pixels, _AROUND), cv2.erode(pixels, _AROUND))


@lru_cache(maxsize=8)  # several rooms compare the same two pictures
def changed(before: Small, now: Small) -> Mask:
    """(H, W) Whether each pixel shows something else, apart from light and jitter.

    The change of light is estimated in two ways, and the one that leaves fewer changes is used. The ratio of the
    medians fails under a large hand, the median of the pixels' ratios under a hand over more than half of them.
    Callers share the result, so it is read-only.
    """
    found = _apart(before, now, _light(now.level / before.level))
    if found.any():
        sample = slice(None, None, 3)
        lighter = (now.pixels[sample, sample] / np.maximum(before.pixels[sample, sample], LEAST_CHANGE)).ravel()
        middle = len(lighter) // 2
        each = _light(float(np.partition(lighter, middle)[middle]))  # the median, in a third of the time
        found = min(found, _apart(before, now, each), key=np.count_nonzero)
    found.flags.writeable = False
    return found


@lru_cache(maxsize=4)
def differs(before: Small, now: Small) -> Mask:
    """Like `changed`, plus pixels with another colour of the same grey. Out of focus, a pixel may take its neighbour's
    colour. Callers share the result, so it is read-only."""
    apart = np.asarray(cv2.subtract(cv2.absdiff(now.hues, before.hues), before.hue_span) > OTHER_COLOUR)
    found = np.asarray(changed(before, now) | apart[..., 0] | apart[..., 1])
    found.flags.writeable = False
    return found


def alike(before: Small, now: Small) -> Grey:
    """(H, W) Correlation, -1..1, of the fine pattern around each pixel in two pictures, in any light; near 0 for
    noise."""
    (one, ones), (other, others) = before.pattern, now.pattern
    common = cv2.blur(cv2.multiply(one, other), PATTERN)
    return np.asarray(common / np.maximum(cv2.sqrt(cv2.multiply(ones, others)), 1e-9))


def _light(times: float) -> float:
    """The ratio of light between two pictures, limited to plausible values."""
    return min(max(times, 0.5), 2.0)


def _apart(before: Small, now: Small, light: float) -> Mask:
    """(H, W) Whether each pixel differs by more than noise and jitter explain, given this ratio of light."""
    gain = np.float32(light)
    apart = cv2.absdiff(now.pixels, before.pixels * gain)
    return np.asarray(apart > LEAST_CHANGE + SHAKE * gain * before.span, dtype=np.bool_)


def hardly_differs(last: Small, now: Small) -> bool:
    """Whether less than 1 % of the picture has changed."""
    return share_changed(last, now) < _DIFFERS


@lru_cache(maxsize=4)
def share_changed(last: Small, now: Small) -> float:
    """Share of a small picture that has changed in light or content, 0..1; 1 if its shape has changed."""
    if last.shape != now.shape:
        return 1.0
    _, changes = cv2.threshold(cv2.absdiff(last.grey, now.grey), LEAST_CHANGE, 1.0, cv2.THRESH_BINARY)
    return cv2.countNonZero(changes) / now.grey.size


def shrunk(image: Bytes) -> Bytes:
    """The picture scaled to a width of 160 pixels. For speed, only a quarter of a large picture's pixels are
    averaged."""
    height = max(1, round(image.shape[0] * WIDTH / image.shape[1]))
    nearest = cv2.resize(image, (2 * WIDTH, 2 * height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.resize(nearest, (WIDTH, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
