"""The markers of a JPEG (ITU T.81, Annex B): where a picture ends, and where the next one of a stream begins."""

from __future__ import annotations

import re

START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN = 0xD8, 0xD9, 0xDA
# FF and a byte that is neither 00 (an FF among compressed data) nor FF (padding); T.81, B.1.1.2.
_MARKER = re.compile(rb"\xff+([^\x00\xff])")
# Markers without a length: TEM, RST0 … RST7, start and end of the image.
_ALONE = frozenset({0x01, *range(0xD0, 0xD8), START_OF_IMAGE, END_OF_IMAGE})
_FREE_CONTENT = frozenset({*range(0xE0, 0xF0), 0xFE})  # APP0 … APP15 and COM hold anything, thumbnails too
_START = b"\xff\xd8\xff"
_LONGEST_HEAD = 4  # bytes of a marker and its length, which may have been received in part


def next_marker(data: bytes | bytearray, place: int) -> tuple[int, int, int] | None:
    """The first marker from `place` on: its code, where its content begins, and where to search for the next one.

    None when the data end before it, or before the length of its content. Compressed data are skipped, as they hold no
    marker but RST0 … RST7. The content may end after the data.
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
    """Where the JPEG at the beginning of `data` ends by its own markers, None when it is cut off.

    What follows does not belong to it: phones append a film, a second picture or notes of their own.
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
    """Cuts whole JPEGs out of a stream, whatever stands between them: boundaries, headers, nothing.

    Attributes:
        pending: bytes received since the end of the last whole picture.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._place: int | None = None  # where to search on in the picture at the beginning of the data
        self.pending = 0

    @property
    def begun(self) -> bool:
        """Whether a picture has begun and not ended yet."""
        return self._place is not None

    def add(self, data: bytes) -> None:
        """What has been received."""
        self._data += data
        self.pending += len(data)
        self._find_start()

    def cut(self) -> bytes | None:
        """The next whole picture, None when more data are needed. A picture that is cut off is left out."""
        while self._place is not None and (found := next_marker(self._data, self._place)):
            marker, content, after = found
            if marker == END_OF_IMAGE:
                jpeg = bytes(self._data[:after])
                self._begin_at(after)
                self.pending = len(self._data)
                return jpeg
            # A picture never begins inside compressed data or a table: the one before it was cut off.
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
