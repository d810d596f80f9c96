"""The last seconds of the camera in memory, so that a misread die can be saved for training."""

from __future__ import annotations

import threading
from collections import deque

from vision.types import Motion, Reading

MAX_FRAMES = 48  # images kept: at least 12 s, about 10 MB


class RecentFrames:
    """A ring buffer of images and their readings."""

    def __init__(self) -> None:
        self._frames: deque[tuple[bytes, Reading]] = deque(maxlen=MAX_FRAMES)
        self._lock = threading.Lock()

    def add(self, jpeg: bytes, reading: Reading) -> None:
        """Adds an image."""
        with self._lock:
            self._frames.append((jpeg, reading))

    def settled(self) -> tuple[bytes, Reading] | None:
        """The newest image with uncovered resting dice; None if there is none."""
        with self._lock:
            frames = [(jpeg, seen) for jpeg, seen in self._frames if seen.settled and seen.motion is Motion.STABLE]
        return next((pair for pair in reversed(frames) if pair[1].dice), None)

    def newest(self) -> tuple[bytes, Reading] | None:
        """The newest image."""
        with self._lock:
            return self._frames[-1] if self._frames else None

    def frames(self) -> list[tuple[bytes, Reading]]:
        """All images, the oldest first."""
        with self._lock:
            return list(self._frames)
