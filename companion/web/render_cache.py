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
        self._kept: OrderedDict[Hashable, Future[T]] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, key: Hashable) -> T | None:
        """What is kept under this key; None where nothing is, or not yet."""
        with self._lock:
            found = self._kept.get(key)
        return found.result() if found is not None and found.done() and found.exception() is None else None

    def once(self, key: Hashable, draw: Callable[[], T]) -> T:
        """The board of this key; `draw` is called by the first who asks. What it raises is raised for all who wait
        meanwhile, and the next one draws again."""
        with self._lock:
            board, mine = self._kept.get(key), False
            if board is not None:
                self._kept.move_to_end(key)
            else:
                board, mine = Future(), True
                self._kept[key] = board
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        if mine:
            try:
                board.set_result(draw())
            except BaseException as error:
                with self._lock:
                    self._kept.pop(key, None)
                board.set_exception(error)
        return board.result()
