"""Caches of results that many viewers share: boards, pages as HTML, lines of the record, reviews, statistics."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

MAX_ENTRIES = 64  # five languages, a few roles and the players' phones, for the newest boards


T = TypeVar("T")


class RenderCache(Generic[T]):
    """Keeps the newest entries. If several threads ask for a missing entry, one computes it and the others wait."""

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        self._max_entries = max_entries
        self._entries: OrderedDict[Hashable, T] = OrderedDict()
        # Only while being computed: a future with its locks is ten times as large as a line of text.
        self._pending: dict[Hashable, Future[T]] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        """The value for this key; None if it is missing or being computed."""
        with self._lock:
            return self._entries.get(key)

    def get_or_compute(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The value for this key, computed by `compute` if missing. An exception is raised for all waiting callers, and
        the next caller tries again."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key]
            other = self._pending.get(key)
            if other is None:
                future: Future[T] = Future()
                self._pending[key] = future
        if other is not None:
            return other.result()
        try:
            value = compute()
        except BaseException as error:
            with self._lock:
                del self._pending[key]
            future.set_exception(error)
            raise
        with self._lock:
            self._entries[key] = value
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)
            del self._pending[key]
        future.set_result(value)
        return value


class ViewCaches:
    """The caches of the pages.

    Attributes:
        pages: Pages and boards as HTML, by board and audience.
        boards: The newest boards, arranged for the templates.
        record_lines: Lines of the record as HTML: an evening's lines in five languages.
        reviews: Win probabilities and reviews of past games, by ("chances" or "review", the game's record).
        statistics: The players' statistics of a period.
    """

    def __init__(self) -> None:
        self.pages: RenderCache[str] = RenderCache()
        self.boards: RenderCache[Any] = RenderCache(2)
        self.record_lines: RenderCache[str] = RenderCache(3000)
        self.reviews: RenderCache[Any] = RenderCache()
        self.statistics: RenderCache[Any] = RenderCache(8)
