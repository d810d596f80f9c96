"""A place for the newest value between one thread that makes it and others that want only the latest."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestValue(Generic[T]):
    """Holds the newest value and its count; an older value nobody took is dropped and counted, so nothing
    ever queues."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._value: T | None = None
        self._count = 0
        self._taken = 0
        self._dropped = 0
        self._closed = False

    @property
    def count(self) -> int:
        """How many values were put so far."""
        return self._count

    @property
    def dropped(self) -> int:
        """How many values were replaced before anybody took them."""
        return self._dropped

    @property
    def closed(self) -> bool:
        """True when no further value will come."""
        return self._closed

    def put(self, value: T) -> None:
        """Replace the value and wake everybody who waits."""
        with self._changed:
            if self._count > self._taken:
                self._dropped += 1
            self._count += 1
            self._value = value
            self._changed.notify_all()

    def take(self, after: int = 0, timeout: float | None = None) -> tuple[int, T] | None:
        """The newest value and its count, as soon as the count exceeds `after`.

        None when `timeout` seconds pass without one or the slot is closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._count > after or self._closed, timeout)
            if self._count <= after or self._value is None:
                return None
            self._taken = self._count
            return self._count, self._value

    def close(self) -> None:
        """No further value will come; those who wait return at once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
