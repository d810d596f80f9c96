"""A second source, synchronised with the main one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress

from vision.sources.camera import frames, is_live
from vision.sources.jpeg import Unusable
from vision.types import Frame, Lost


class Beside:
    """Frames of a second source. A file runs in the media time of the main source; a live source is never waited for.

    Raises:
        Unusable: The source does not exist or has the wrong format.
    """

    def __init__(self, source: str) -> None:
        self._given: Iterator[Frame | Lost] = frames(source)
        self._live = is_live(source)
        self._next: Frame | Lost | None = None if self._live else next(self._given, None)
        if isinstance(self._next, Lost):
            raise Unusable(self._next.why)
        self._newest: Frame | None = None
        if self._live:
            threading.Thread(target=self._follow, name="second camera", daemon=True).start()

    def at(self, seconds: float) -> Frame | None:
        """The newest frame up to this time, or None if there is no new one."""
        while not self._live and isinstance(self._next, Frame) and self._next.seconds <= seconds:
            self._newest, self._next = self._next, next(self._given, None)
        newest, self._newest = self._newest, None
        return newest

    def _follow(self) -> None:
        with suppress(Unusable):
            for frame in self._given:
                if isinstance(frame, Frame):
                    self._newest = frame
