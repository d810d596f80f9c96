"""A slot for the newest value, between one producer thread and consumers that want only the latest."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestValue(Generic[T]):
    """Holds the newest value and a count of all. A value that is replaced before it is taken is dropped and counted,
    so nothing queues up."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._value: T | None = None
        self._count = 0
        self._taken = 0
        self._dropped = 0
        self._closed = False

    @property
    def count(self) -> int:
        """Number of values put so far."""
        return self._count

    @property
    def dropped(self) -> int:
        """Number of values replaced before they were taken."""
        return self._dropped

    @property
    def closed(self) -> bool:
        """Whether no further value will come."""
        return self._closed

    def put(self, value: T) -> None:
        """Replaces the value and wakes all consumers."""
        with self._changed:
            if self._count > self._taken:
                self._dropped += 1
            self._count += 1
            self._value = value
            self._changed.notify_all()

    def take(self, after: int = 0, timeout: float | None = None) -> tuple[int, T] | None:
        """The newest value and its count, as soon as the count exceeds `after`; None after `timeout` seconds or if
        the slot is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._count > after or self._closed, timeout)
            if self._count <= after or self._value is None:
                return None
            self._taken = self._count
            return self._count, self._value

    def close(self) -> None:
        """Announces that no further value will come; waiting consumers return at once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
