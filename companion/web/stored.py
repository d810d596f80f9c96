"""A response from disk, sent piece by piece, so that slow downloads hold no copy in memory."""

from __future__ import annotations

import mmap
from collections.abc import Iterator

PIECE_BYTES = 256 * 1024  # maximum bytes in memory for each connection


class FileBody(mmap.mmap):
    """The content of a file that does not change, like `bytes`, but read from disk when it is sliced."""

    def __iter__(self) -> Iterator[bytes]:  # type: ignore[override]  # of `bytes`, as the responses need it
        """The whole file in pieces."""
        return (self[place : place + PIECE_BYTES] for place in range(0, len(self), PIECE_BYTES))

    def close(self) -> None:
        """Stays open: the framework closes the body of every response, but later responses send the same file."""
