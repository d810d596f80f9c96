"""JPEG markers (ITU T.81, Annex B): where an image ends and the next one of a stream begins."""

from __future__ import annotations

import re

START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN = 0xD8, 0xD9, 0xDA
# FF and a byte that is neither 00 (an FF in compressed data) nor FF (padding); T.81, B.1.1.2.
_MARKER = re.compile(rb"\xff+([^\x00\xff])")
# Markers without a length: TEM, RST0 … RST7, start and end of the image.
_ALONE = frozenset({0x01, *range(0xD0, 0xD8), START_OF_IMAGE, END_OF_IMAGE})
_FREE_CONTENT = frozenset({*range(0xE0, 0xF0), 0xFE})  # APP0 … APP15 and COM hold anything, including thumbnails
_START = b"\xff\xd8\xff"
_LONGEST_HEAD = 4  # bytes of a marker and its length, which may have been received in part


def next_marker(data: bytes | bytearray, place: int) -> tuple[int, int, int] | None:
    """The first marker at or after `place`: its code, the start of its content and where to continue.

    Compressed data are skipped; they hold no markers but RST0 … RST7. The content may extend past the data.

    Returns:
        None if the data end before the marker or its length.
    """
    found = _MARKER.search(data, place)
    if found is None:
        return None
    marker, content = found[1][0], found.end()
    if marker in _ALONE:
        return marker, content, content
    if content + 2 > len(data):
        return None
    return marker, content, content + int.from_bytes(data[content : content + 2], "big")


def end_of_jpeg(data: bytes) -> int | None:
    """The end of the JPEG at the start of `data` by its own markers; None if it is truncated.

    Phones append a video, a second image or private data, which do not count.
    """
    place = len(_START) - 1
    while found := next_marker(data, place):
        marker, _, place = found
        if marker == END_OF_IMAGE:
            return place
        if marker == START_OF_IMAGE:
            return None
    return None


class JpegCutter:
    """Cuts whole JPEGs out of a byte stream, whatever is between them.

    Attributes:
        pending: Bytes received since the end of the last whole image.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._place: int | None = None  # where to continue in the image at the start of the data
        self.pending = 0

    @property
    def begun(self) -> bool:
        """Whether an image has begun and not ended yet."""
        return self._place is not None

    def add(self, data: bytes) -> None:
        """Adds received bytes."""
        self._data += data
        self.pending += len(data)
        self._find_start()

    def cut(self) -> bytes | None:
        """The next whole image; None if more data are needed. A truncated image is skipped."""
        while self._place is not None and (found := next_marker(self._data, self._place)):
            marker, content, after = found
            if marker == END_OF_IMAGE:
                jpeg = bytes(self._data[:after])
                self._begin_at(after)
                self.pending = len(self._data)
                return jpeg
            # An image never begins inside compressed data or a table, so the one before it was truncated.
            again = content - 2 if marker == START_OF_IMAGE else -1
            if marker not in _FREE_CONTENT and again < 0:
                again = self._data.find(_START, content, after)
            if again >= 0:
                self._begin_at(again)
            else:
                self._place = after
        if self._place is not None:
            self._place = max(self._place, len(self._data) - _LONGEST_HEAD)
        return None

    def _begin_at(self, place: int) -> None:
        del self._data[:place]
        self._place = None
        self._find_start()

    def _find_start(self) -> None:
        if self._place is None:
            start = self._data.find(_START)
            del self._data[: start if start >= 0 else max(0, len(self._data) - len(_START) + 1)]
            self._place = len(_START) - 1 if start >= 0 else None
