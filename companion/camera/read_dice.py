"""What the camera thought of each die of a recorded event: what else it may have shown, for whoever puts it right."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from companion.game.changes import Line
from vision.types import Reading, SeenDie

_MOST_READINGS, _MOST_LINES = 256, 400  # some ten seconds; a whole game
_NEWEST = 16  # lines that a reading may have written: a turn told again


class ReadDice:
    """The dice of the last readings by frame, and of those that lines were written from by the line's number."""

    def __init__(self) -> None:
        self._recent: OrderedDict[int, tuple[SeenDie, ...]] = OrderedDict()
        self._kept: OrderedDict[int, tuple[SeenDie, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def see(self, reading: Reading) -> None:
        """The camera saw this."""
        with self._lock:
            self._recent[reading.frame] = reading.dice
            if len(self._recent) > _MOST_READINGS:
                self._recent.popitem(last=False)

    def keep(self, lines: Sequence[Line]) -> None:
        """These lines are recorded now: what the newest of them were written from is kept."""
        with self._lock:
            for line in lines[-_NEWEST:]:
                read = None if line.frame is None else self._recent.get(line.frame)
                if line.by == "camera" and read is not None and line.number not in self._kept:
                    self._kept[line.number] = read
                    if len(self._kept) > _MOST_LINES:
                        self._kept.popitem(last=False)

    def of(self, line: Line) -> tuple[SeenDie, ...]:
        """What lay there when the line was written; () where that is not known."""
        return self._kept.get(line.number, ())

    def watch_restarted(self) -> None:
        """The camera's frames are counted from the beginning again."""
        with self._lock:
            self._recent.clear()

    def forget(self) -> None:
        """Another game is played."""
        with self._lock:
            self._kept.clear()
