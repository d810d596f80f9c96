"""The last seconds of the camera, kept in memory, so that a misread can be saved for whoever trains the model."""

from __future__ import annotations

import threading
from collections import deque

from vision.types import Motion, Reading

MOST = 48  # 12 s and more of the pictures that come to be kept: some 10 MB


class RecentFrames:
    """A ring of pictures and what was read in them."""

    def __init__(self) -> None:
        self._kept: deque[tuple[bytes, Reading]] = deque(maxlen=MOST)
        self._lock = threading.Lock()

    def take(self, jpeg: bytes, reading: Reading) -> None:
        """Keep this picture."""
        with self._lock:
            self._kept.append((jpeg, reading))

    def settled(self) -> tuple[bytes, Reading] | None:
        """The newest picture on which dice rest uncovered; None where there is none."""
        with self._lock:
            kept = [(jpeg, seen) for jpeg, seen in self._kept if seen.settled and seen.motion is Motion.STABLE]
        return next((pair for pair in reversed(kept) if pair[1].dice), None)

    def newest(self) -> tuple[bytes, Reading] | None:
        """The newest picture there is."""
        with self._lock:
            return self._kept[-1] if self._kept else None

    def kept(self) -> list[tuple[bytes, Reading]]:
        """All of it, the oldest first."""
        with self._lock:
            return list(self._kept)
