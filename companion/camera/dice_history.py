"""Remembers alternative faces of the dice of recorded events, for corrections."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from companion.game.changes import Line
from vision.types import Reading, SeenDie

_MAX_READINGS, _MAX_LINES = 256, 400  # some ten seconds; a whole game
_NEWEST = 16  # lines that one reading may have changed, because the referee can revise a turn


class DiceHistory:
    """The dice of recent readings by frame, and those of recorded lines by line number."""

    def __init__(self) -> None:
        self._recent: OrderedDict[int, tuple[SeenDie, ...]] = OrderedDict()
        self._lines: OrderedDict[int, tuple[SeenDie, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def see(self, reading: Reading) -> None:
        """Remembers a reading."""
        with self._lock:
            self._recent[reading.frame] = reading.dice
            if len(self._recent) > _MAX_READINGS:
                self._recent.popitem(last=False)

    def remember(self, lines: Sequence[Line]) -> None:
        """Remembers the dice of the newest lines of the record."""
        with self._lock:
            for line in lines[-_NEWEST:]:
                read = None if line.frame is None else self._recent.get(line.frame)
                if line.by == "camera" and read is not None and line.number not in self._lines:
                    self._lines[line.number] = read
                    if len(self._lines) > _MAX_LINES:
                        self._lines.popitem(last=False)

    def dice_of(self, line: Line) -> tuple[SeenDie, ...]:
        """The dice from which a line was recorded; () if unknown."""
        return self._lines.get(line.number, ())

    def watch_restarted(self) -> None:
        """Handles a restart: frame numbers start again."""
        with self._lock:
            self._recent.clear()

    def forget(self) -> None:
        """Forgets everything, for another game."""
        with self._lock:
            self._lines.clear()
