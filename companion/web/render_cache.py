"""What is made once for all viewers who see the same: boards arranged, boards and the pages around them as HTML."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

MOST_KEPT = 64  # five languages, a few roles and the players' phones, for the newest boards


T = TypeVar("T")


class RenderCache(Generic[T]):
    """The newest ones. Fifty viewers who ask at the same moment for one that is not there yet wait for the first of
    them, who draws it."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        # Only while they are drawn: a future with its locks weighs ten times as much as a line of text.
        self._being_drawn: dict[Hashable, Future[T]] = {}
        self._lock = threading.Lock()

    def known(self, key: Hashable) -> T | None:
        """What is kept under this key; None where nothing is, or not yet."""
        with self._lock:
            return self._kept.get(key)

    def once(self, key: Hashable, draw: Callable[[], T]) -> T:
        """The board of this key; `draw` is called by the first who asks. What it raises is raised for all who wait
        meanwhile, and the next one draws again."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            waited_for = self._being_drawn.get(key)
            if waited_for is None:
                mine: Future[T] = Future()
                self._being_drawn[key] = mine
        if waited_for is not None:
            return waited_for.result()
        try:
            drawn = draw()
        except BaseException as error:
            with self._lock:
                del self._being_drawn[key]
            mine.set_exception(error)
            raise
        with self._lock:
            self._kept[key] = drawn
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            del self._being_drawn[key]
        mine.set_result(drawn)
        return drawn
