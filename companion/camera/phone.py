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
_MAX_PER_SECOND = 40


class RejectedUpload(CourtsideError):
    """The upload is not an image that our phone page would send."""


class PhoneGate:
    """Validates uploads and passes them on."""

    def __init__(self, forward: Callable[[bytes], None]) -> None:
        self._forward = forward
        self._recent: deque[float] = deque(maxlen=_MAX_PER_SECOND)
        self._lock = threading.Lock()

    def accept(self, data: bytes) -> None:
        """Accepts one JPEG.

        Raises:
            Refused: It is not a usable JPEG, or comes too soon.
        """
        now = time.monotonic()
        with self._lock:
            if len(self._recent) == _MAX_PER_SECOND and now - self._recent[0] < 1.0:
                raise RejectedUpload("too many pictures per second")
            self._recent.append(now)
        header = read_header(data)
        if header is None or header.kind != "JPEG":
            raise RejectedUpload("the picture is not a JPEG, or it is damaged")
        if why := objection(header):
            raise RejectedUpload("this picture cannot be used: it {why}", why=why)
        if header.width * header.height > MAX_UPLOAD_PIXELS:
            raise RejectedUpload("the picture is too large")
        self._forward(data)

    @property
    def rate(self) -> int:
        """Number of images within the last second."""
        with self._lock:
            return sum(time.monotonic() - moment < 1.0 for moment in self._recent)
