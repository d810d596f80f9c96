"""A slot for the newest value, between one producer thread and consumers that want only the latest."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestValue(Generic[T]):
    """Holds the newest value. A value that is replaced before it is taken is dropped, so nothing queues up.

    Attributes:
        count: Number of values put so far.
        dropped: Number of values replaced before they were taken.
        closed: No further value will come.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._value: T | None = None
        self.count = 0
        self._taken = 0
        self.dropped = 0
        self.closed = False

    def put(self, value: T) -> None:
        """Replaces the value and wakes all consumers."""
        with self._changed:
            if self.count > self._taken:
                self.dropped += 1
            self.count += 1
            self._value = value
            self._changed.notify_all()

    def take(self, after: int = 0, timeout: float | None = None) -> tuple[int, T] | None:
        """The newest value and its count, as soon as the count exceeds `after`; None after `timeout` seconds or if
        the slot is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.count > after or self.closed, timeout)
            if self.count <= after or self._value is None:
                return None
            self._taken = self.count
            return self.count, self._value

    def close(self) -> None:
        """Announces that no further value will come; waiting consumers return at once."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
