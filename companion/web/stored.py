"""An answer that lies on disk: sent piece by piece, so that a hundred who fetch it slowly hold no copy of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import IO

PIECE_BYTES = 256 * 1024  # of an answer handed to a connection at once, which keeps what is not taken away in memory


class Stored:
    """A file that is read from many places at once. `len()` is its size in bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        """file: open for reading, of a size that stays."""
        self._file, self._lock = file, threading.Lock()
        self._size = file.seek(0, 2)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        """So many bytes from a place, as of `bytes`."""
        begin, end, _ = part.indices(self._size)
        with self._lock:
            self._file.seek(begin)
            return self._file.read(end - begin)

    def __iter__(self) -> Iterator[bytes]:
        """All of it, in pieces."""
        return (self[place : place + PIECE_BYTES] for place in range(0, self._size, PIECE_BYTES))
