"""A phone as camera: validates its uploads and measures their rate."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from engine.errors import CourtsideError
from vision.sources.header import objection, read_header

MAX_UPLOAD_BYTES = 3 * 1024 * 1024
MAX_UPLOAD_PIXELS = 9_000_000
_MOST_A_SECOND = 40


class Refused(CourtsideError):
    """The upload is not an image that our phone page would send."""


class PhoneGate:
    """Validates uploads and passes them on."""

    def __init__(self, hand_on: Callable[[bytes], None]) -> None:
        self._hand_on = hand_on
        self._recent: deque[float] = deque(maxlen=_MOST_A_SECOND)
        self._lock = threading.Lock()

    def take(self, data: bytes) -> None:
        """Accepts one JPEG.

        Raises:
            Refused: It is not a usable JPEG, or comes too soon.
        """
        now = time.monotonic()
        with self._lock:
            if len(self._recent) == _MOST_A_SECOND and now - self._recent[0] < 1.0:
                raise Refused("too many pictures per second")
            self._recent.append(now)
        header = read_header(data)
        if header is None or header.kind != "JPEG":
            raise Refused("the picture is not a JPEG, or it is damaged")
        if why := objection(header):
            raise Refused("this picture cannot be used: it {why}", why=why)
        if header.width * header.height > MAX_UPLOAD_PIXELS:
            raise Refused("the picture is too large")
        self._hand_on(data)

    @property
    def rate(self) -> int:
        """Number of images within the last second."""
        with self._lock:
            return sum(time.monotonic() - moment < 1.0 for moment in self._recent)
