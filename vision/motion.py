"""The motion gate: what changed in a small grey picture, so that the detector works only when it can matter."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Box = tuple[float, float, float, float]

WIDTH = 160  # pixels of the small picture
LAG_SECONDS = 0.1  # motion is the change since then: two frames at 30 a second, so slow hands show too
LEAST_CHANGE = 9.0  # grey levels that noise and compression may differ
SHAKE = 0.4  # small pixels the picture may tremble: an edge may change by so much of its height
HAND_SHARE = 0.02  # of the picture: nothing smaller is taken for a hand …
HAND_DICE = 5.0  # … nor anything smaller than so many dice
RESTLESS_SECONDS = 0.8  # a hand is never quite still; what has not stirred for so long is a thing
FORGET_LEVELS, ABSORB_LEVELS = 3.0, 30.0  # grey levels a second the background follows: stirring, lying still

_AROUND = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Scene:
    """What the gate saw in one picture, boxes in pixels of the full picture.

    moving: regions that changed within the last tenth of a second; hands: large restless regions foreign to the
    table; fresh: something differs from when the detector last looked.
    """

    moving: tuple[Box, ...] = ()
    hands: tuple[Box, ...] = ()
    fresh: bool = True


class MotionGate:
    """Compares each picture with the one a tenth of a second ago, with the last one read, and with the empty table.

    A global change of light is taken out by one common factor first; a trembling picture is forgiven at edges.
    """

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Grey]] = deque()
        self._background: Grey | None = None
        self._stirred: npt.NDArray[np.float64] | None = None  # when each small pixel last moved
        self._read: Grey | None = None
        self._seconds = 0.0

    def step(self, image: npt.NDArray[np.uint8], seconds: float, die_pixels: float | None = None) -> Scene:
        """Compare the next picture; die_pixels: width of a die in the full picture, once known."""
        small = _small(image)
        if self._background is None or self._background.shape != small.shape:  # the first, or turned or resized
            self._start(small, seconds)
        assert self._background is not None
        assert self._stirred is not None
        elapsed, self._seconds = max(0.0, seconds - self._seconds), seconds
        while len(self._recent) > 1 and self._recent[1][0] <= seconds - LAG_SECONDS:
            self._recent.popleft()
        moved = changed(self._recent[0][1], small)
        self._recent.append((seconds, small))
        self._stirred[moved] = seconds
        foreign = changed(self._background, small)
        self._learn(small, seconds, elapsed)
        scale = image.shape[1] / WIDTH
        hand_area = max(HAND_SHARE * small.size, HAND_DICE * ((die_pixels or 0.0) / scale) ** 2)
        restless = self._stirred > seconds - RESTLESS_SECONDS
        return Scene(
            moving=_regions(moved, scale, 2.0),
            hands=_regions(foreign, scale, hand_area, restless),
            fresh=self._read is None or bool(changed(self._read, small).any()),
        )

    def was_read(self) -> None:
        """The detector has looked at the newest picture."""
        self._read = self._recent[-1][1]

    def _start(self, small: Grey, seconds: float) -> None:
        self._recent.clear()
        self._recent.append((seconds, small))
        self._background = small.copy()
        self._stirred = np.full(small.shape, -np.inf)
        self._read = None
        self._seconds = seconds

    def _learn(self, small: Grey, seconds: float, elapsed: float) -> None:
        """Follow slowly what stirs, quickly what lies still: a card put down soon belongs to the table."""
        assert self._background is not None
        assert self._stirred is not None
        lying = self._stirred < seconds - 2 * RESTLESS_SECONDS
        step = np.where(lying, ABSORB_LEVELS, FORGET_LEVELS).astype(np.float32) * np.float32(elapsed)
        self._background += np.clip(small - self._background, -step, step)


def changed(before: Grey, now: Grey) -> Mask:
    """Which small pixels show something else, light and trembling aside."""
    gain = float(np.median(now)) / max(float(np.median(before)), 1.0)
    before = before * np.float32(min(max(gain, 0.5), 2.0))
    span = cv2.dilate(before, _AROUND) - cv2.erode(before, _AROUND)
    return np.asarray(np.abs(now - before) > LEAST_CHANGE + SHAKE * span, dtype=np.bool_)


def _small(image: npt.NDArray[np.uint8]) -> Grey:
    """A grey picture 160 pixels wide. Every pixel of a large one is not worth its time: a quarter is averaged."""
    height = max(1, round(image.shape[0] * WIDTH / image.shape[1]))
    nearest = cv2.resize(image, (2 * WIDTH, 2 * height), interpolation=cv2.INTER_NEAREST)
    grey = cv2.cvtColor(nearest, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)


def _regions(mask: Mask, scale: float, least: float, restless: Mask | None = None) -> tuple[Box, ...]:
    """Boxes (full pixels) of connected regions of at least so many small pixels, in which anything is restless."""
    if not mask.any():
        return ()
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    boxes = []
    for label in range(1, count):
        x, y, width, height, area = (int(v) for v in stats[label])
        if area >= least and (restless is None or restless[labels == label].any()):
            boxes.append((x * scale, y * scale, (x + width) * scale, (y + height) * scale))
    return tuple(boxes)
