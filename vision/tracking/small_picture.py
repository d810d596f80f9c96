"""A small grey picture with a hint of its colours, and how two of them differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.tracking.constants import LEAST_CHANGE, OTHER_COLOUR, PATTERN, SAME_LIGHT, SHAKE, WIDTH
from vision.tracking.regions import Mask

Grey = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

_DIFFERS = 0.01  # of a picture: less is hardly anything
_AROUND = np.ones((3, 3), np.uint8)
_NO_HUES: Bytes = np.zeros((0, 0, 2), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Small:
    """A small grey picture and what comparing it needs: its usual level, and how far each pixel's neighbours differ.

    hues: half of what red and blue have more than green, (H, W, 2), from 128 on: as little noise in them as in grey.
    Nothing where not known. hue_span: how far the neighbours differ in them.
    """

    pixels: Grey
    level: float
    span: Grey
    hues: Bytes
    hue_span: Bytes

    @classmethod
    def of(cls, pixels: Grey | Bytes, hues: Bytes = _NO_HUES) -> Small:
        """The level is the median, counted: sorting takes ten times as long."""
        counts = np.bincount(pixels.astype(np.uint8).ravel(), minlength=256)
        level = float(counts.cumsum().searchsorted(pixels.size / 2))
        span = np.asarray(span_of(pixels), np.float32)
        return cls(np.asarray(pixels, np.float32), max(level, 1.0), span, hues, span_of(hues) if hues.size else hues)

    def shaded(self, table: Small, hues: Grey) -> Mask:
        """Which small pixels may show the table in less light, of these hues: all colours fade alike, and so does its
        pattern, until it can be seen no more."""
        light = self.pixels / np.maximum(table.pixels, np.float32(LEAST_CHANGE))
        apart = np.abs(self.hues.astype(np.float32) - 128 - (hues - 128) * light[..., None])
        same = (apart <= self.hue_span + np.float32(OTHER_COLOUR)).all(axis=2)
        return np.asarray(same & (light < 1) & (table.span * light < LEAST_CHANGE))


def span_of(pixels: Any) -> Any:
    """How far the neighbours of each pixel differ."""
    return cv2.subtract(cv2.dilate(pixels, _AROUND), cv2.erode(pixels, _AROUND))


def changed(before: Small, now: Small, times: float = 1.0) -> Mask:
    """Which small pixels show something else, light and trembling aside; times: by so many times what it takes.

    How much lighter it has become is told in two ways, and the one that leaves less to explain is believed: the levels
    of both pictures, which a large hand moves, and which jump where a white mat covers half of a dark table; and what
    has happened to each pixel, which a hand over more than half of them moves.
    """
    levels = _light(now.level / before.level)
    changed = _apart(before, now, levels, times)
    sample = slice(None, None, 3)
    lighter = (now.pixels[sample, sample] / np.maximum(before.pixels[sample, sample], LEAST_CHANGE)).ravel()
    middle = len(lighter) // 2
    each = _light(float(np.partition(lighter, middle)[middle]))  # the median, at a third of the time
    if abs(each - levels) < SAME_LIGHT:
        return changed
    otherwise = _apart(before, now, each, times)
    return otherwise if otherwise.sum() < changed.sum() else changed


def differs(before: Small, now: Small) -> Mask:
    """The same, and what shows another colour of the same grey: a red die on green felt, gone. Out of focus a pixel may
    take the colour of its neighbours."""
    apart = np.asarray(cv2.subtract(cv2.absdiff(now.hues, before.hues), before.hue_span) > OTHER_COLOUR)
    return np.asarray(changed(before, now) | apart[..., 0] | apart[..., 1])


def alike(before: Grey, now: Grey) -> Grey:
    """Of each small pixel how far the fine pattern around it is the same in two pictures, in whatever light: the
    correlation, of -1 to 1. Near 0 where there is no pattern but noise."""
    one, other = _detail(before), _detail(now)
    common, ones, others = (cv2.blur(product, PATTERN) for product in (one * other, one * one, other * other))
    return np.asarray(common / np.maximum(cv2.sqrt(ones * others), 1e-9))


def _detail(pixels: Grey) -> Grey:
    """How much lighter each pixel is than those around it, as a logarithm: no matter how light it is there."""
    light = cv2.log(pixels + LEAST_CHANGE)
    return np.asarray(light - cv2.blur(light, _AROUND.shape), np.float32)


def hues_of(colour: Bytes) -> Bytes:
    """What `Small` keeps of the colours of a (H, W, 3) BGR picture."""
    blue, green, red = cv2.split(colour)
    return np.asarray(cv2.merge([cv2.addWeighted(one, 0.5, green, -0.5, 128) for one in (red, blue)]), np.uint8)


def _light(times: float) -> float:
    """How many times as light it may have become from one picture to another."""
    return min(max(times, 0.5), 2.0)


def _apart(before: Small, now: Small, light: float, times: float) -> Mask:
    """Which small pixels differ by so many times what noise and trembling explain, if it has become so light."""
    gain = np.float32(light)
    apart = cv2.absdiff(now.pixels, before.pixels * gain)
    return np.asarray(apart > times * (LEAST_CHANGE + SHAKE * gain * before.span), dtype=np.bool_)


def hardly_differs(last: Grey, grey: Grey) -> bool:
    """Whether hardly anything has changed."""
    return share_changed(last, grey) < _DIFFERS


def share_changed(last: Grey, grey: Grey) -> float:
    """The share of a small picture that has changed, 0..1, whether the light did or what is seen."""
    _, changes = cv2.threshold(cv2.absdiff(last, grey), LEAST_CHANGE, 1.0, cv2.THRESH_BINARY)
    return cv2.countNonZero(changes) / grey.size


def shrunk(image: Bytes) -> Bytes:
    """A picture 160 pixels wide. Every pixel of a large one is not worth its time: a quarter is averaged."""
    height = max(1, round(image.shape[0] * WIDTH / image.shape[1]))
    nearest = cv2.resize(image, (2 * WIDTH, 2 * height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.resize(nearest, (WIDTH, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
