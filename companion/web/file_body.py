"""A response from disk, sent piece by piece, so that slow downloads hold no copy in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import IO

PIECE_BYTES = 256 * 1024  # maximum bytes in memory for each connection


class FileBody:
    """A file read at many positions at once. `len()` is its size in bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        """Wraps a file that is open for reading and does not change its size."""
        self._file, self._lock = file, threading.Lock()
        self._size = file.seek(0, 2)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        """Bytes of a slice, like `bytes`."""
        begin, end, _ = part.indices(self._size)
        with self._lock:
            self._file.seek(begin)
            return self._file.read(end - begin)

    def __iter__(self) -> Iterator[bytes]:
        """The whole file in pieces."""
        return (self[place : place + PIECE_BYTES] for place in range(0, self._size, PIECE_BYTES))
