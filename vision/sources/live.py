"""Live sources: one thread reads, the newest frame wins, a silent source is reopened."""

from __future__ import annotations

import logging
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

import cv2
import numpy as np

from vision.messages import NO_MORE_PICTURES, OPENED_AGAIN, Doubt
from vision.sources.header import misshapen
from vision.sources.jpeg import Unusable
from vision.sources.latest_value import LatestValue
from vision.types import Frame, Image, Lost

LOST_SECONDS = 1.0  # seconds without a frame after which the source counts as lost; the page must show it within 2 s
SLOW_INTERVALS = 2.5  # the same in usual intervals, for cameras that send a frame every two seconds
LONGEST_INTERVAL = 4.0  # seconds between frames of the slowest camera that can be used
INTERVALS = 5  # number of latest intervals whose median is the usual one
FIRST_FRAME_SECONDS = 3.0  # seconds without a frame after which the source is lost while its interval is unknown
OFTEN_SECONDS = 0.25  # interval at which a loss is repeated
STALE_SECONDS = 0.5  # an older frame is no evidence of the current table
SAME_SHAPE = 0.02  # relative difference of aspect ratios up to which two resolutions show the same field of view
SHORTEST_PAUSE, LONGEST_PAUSE = 0.25, 5.0  # seconds between attempts to reopen the source

_LOG = logging.getLogger(__name__)


class StartingUp(Unusable):
    """The source has no frames yet but says it is starting."""


class Grabber(Protocol):
    """An open source."""

    def grab(self) -> Image:
        """The next (H, W, 3) uint8 BGR frame.

        Raises:
            Unusable: The source gives no frames any more.
        """
        ...

    def settings(self) -> dict[str, str]:
        """The settings read back from the device, in words."""
        ...

    def close(self) -> None:
        """Releases the device or connection."""
        ...


class Live:
    """Frames of a camera or stream. Iterating gives `Frame`, or `Lost` a few times a second while there are none.

    Frame numbers count every frame that arrived, so a gap means dropped frames. Seconds are monotonic and taken on
    arrival.

    Args:
        open_source: Opens the device; called again after each loss. May raise Unusable.
    """

    def __init__(self, open_source: Callable[[], Grabber], name: str) -> None:
        self._open = open_source
        self._slot: LatestValue[Frame] = LatestValue()
        self._stop = threading.Event()
        self._grabber: Grabber | None = None
        self._why: Doubt | None = None
        self._starting = False
        self._size: tuple[int, int] | None = None  # width and height of the first frame
        self._intervals: deque[float] = deque(maxlen=INTERVALS)  # seconds between frames that arrived
        self._last_at: float | None = None  # when the last frame arrived, monotonic seconds
        self.name = name
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def arrived(self) -> int:
        """Number of frames that the source has given."""
        return self._slot.count

    @property
    def dropped(self) -> int:
        """Number of frames that were replaced by a newer one before they were taken."""
        return self._slot.dropped

    @property
    def settings(self) -> dict[str, str]:
        """Size, rate and exposure that the device agreed to; empty while it is not open."""
        grabber = self._grabber
        return grabber.settings() if grabber else {}

    def __iter__(self) -> Iterator[Frame | Lost]:
        taken, last = 0, time.monotonic()
        while not self._stop.is_set():
            due = last + self._patience() - time.monotonic()
            newest = self._slot.take(taken, timeout=due if 0 < due < OFTEN_SECONDS else OFTEN_SECONDS)
            now = time.monotonic()
            if newest is not None:
                taken, frame = newest
                if now - frame.seconds > STALE_SECONDS:  # the consumer was blocked; the next frame is fresh
                    continue
                last = now
                yield frame
            elif now - last >= self._patience():
                yield Lost(now, self._why or Doubt(NO_MORE_PICTURES), self._starting)

    def close(self) -> None:
        """Stops reading. The thread ends as soon as the device returns."""
        self._stop.set()
        self._slot.close()
        self._thread.join(timeout=3.0)

    def _patience(self) -> float:
        """Seconds without a frame after which the source is lost."""
        if len(self._intervals) >= 2:
            return max(LOST_SECONDS, SLOW_INTERVALS * min(statistics.median(self._intervals), LONGEST_INTERVAL))
        if not self._why:
            return FIRST_FRAME_SECONDS
        return LOST_SECONDS if self._slot.count else 0.0

    def _run(self) -> None:
        pause = SHORTEST_PAUSE
        while not self._stop.is_set():
            before = self._slot.count
            try:
                self._grabber = self._open()
                self._read(self._grabber)
            except Unusable as error:
                self._why, self._starting = error.sentence, isinstance(error, StartingUp)
            except Exception:  # any failure of a driver or decoder: reopen the source
                _LOG.exception("%s failed", self.name)
                self._why, self._starting = Doubt(OPENED_AGAIN), False
            finally:
                if self._grabber is not None:
                    self._grabber.close()
                self._grabber = None
            if self._slot.count > before:
                pause = SHORTEST_PAUSE
            self._stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _read(self, grabber: Grabber) -> None:
        while not self._stop.is_set():
            sent = grabber.grab()
            if why := misshapen(sent.shape[1], sent.shape[0]):
                raise Unusable(f"{self.name} sends unusable pictures: one {why}")
            image = self._sized_as_before(sent)
            self._why, self._starting = None, False
            now = time.monotonic()
            if self._last_at is not None:
                self._intervals.append(now - self._last_at)
            self._last_at = now
            self._slot.put(Frame(image, now, self._slot.count, None if image is sent else sent.shape[1::-1]))

    def _sized_as_before(self, image: Image) -> Image:
        """The frame at the size of the first one, if it shows the same field of view in another resolution.

        A camera may come back with another resolution, but the tracker knows the table in the old pixels.
        """
        height, width = image.shape[:2]
        if self._size is None:
            self._size = width, height
        elif (width, height) != self._size and abs(width * self._size[1] / (height * self._size[0]) - 1) < SAME_SHAPE:
            return np.asarray(cv2.resize(image, self._size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        return image
