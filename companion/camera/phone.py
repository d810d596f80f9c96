"""A phone as camera: what it may send, and how fast its pictures arrive."""

from __future__ import annotations

import struct
import threading
import time
from collections import deque

from vision.sources.latest_value import LatestValue

MOST_BYTES = 3 * 1024 * 1024
MOST_PIXELS = 9_000_000
_MOST_A_SECOND = 40


class Refused(ValueError):
    """The upload is no picture a phone's page would send."""


class PhoneGate:
    """Checks pictures at the door and hands the newest one on; older ones nobody has looked at are dropped."""

    def __init__(self, slot: LatestValue[bytes]) -> None:
        self._slot = slot
        self._recent: deque[float] = deque(maxlen=_MOST_A_SECOND)
        self._lock = threading.Lock()

    def take(self, data: bytes) -> None:
        """Accept one JPEG. Raises Refused when it is none, too large, or comes too soon after many others."""
        now = time.monotonic()
        with self._lock:
            if len(self._recent) == _MOST_A_SECOND and now - self._recent[0] < 1.0:
                raise Refused("too many pictures a second")
            self._recent.append(now)
        width, height = jpeg_size(data)
        if width * height > MOST_PIXELS:
            raise Refused("the picture is too large")
        self._slot.put(data)

    @property
    def arriving(self) -> bool:
        """Whether pictures have come within the last two seconds."""
        return bool(self._recent) and time.monotonic() - self._recent[-1] < 2.0


def jpeg_size(data: bytes) -> tuple[int, int]:
    """(width, height) from a JPEG's frame header (ITU T.81, B.2.2), not decoding it. Raises Refused if it has none."""
    if data[:2] != b"\xff\xd8":
        raise Refused("the picture is no JPEG")
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker, length = data[place + 1], struct.unpack_from(">H", data, place + 2)[0]
        # SOF0 … SOF15, without DHT (C4), JPG (C8) and DAC (CC), which share the range.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, place + 5)
            if width and height:
                return width, height
            break
        place += 2 + length
    raise Refused("the picture is damaged")
