"""Notifies subscribers of updates without a queue: slow clients skip to the latest."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class LatestUpdate:
    """The latest version of the board and number of the latest camera image."""

    board: str = ""
    picture: int = 0


class Broadcast:
    """The latest update, and two ways to learn of a newer one: a callback, or waiting.

    Attributes:
        closed: The application is closing, so that streams should end.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.latest = LatestUpdate()
        self.closed = False
        self._subscribers: list[Callable[[], None]] = []

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Registers a callback, called in the thread of each update, where it must not block. Returns a function
        that removes it."""
        self._subscribers = [*self._subscribers, callback]

        def unsubscribe() -> None:
            self._subscribers = [other for other in self._subscribers if other is not callback]

        return unsubscribe

    def announce_board(self, version: str) -> None:
        """Announces a new version of the board."""
        self._publish(replace(self.latest, board=version))

    def announce_picture(self, number: int) -> None:
        """Announces a newer camera image."""
        self._publish(replace(self.latest, picture=number))

    def wait(self, known: LatestUpdate | None, timeout: float) -> LatestUpdate | None:
        """The latest update as soon as it differs from `known`; None after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self.latest != known, timeout)
            return None if self.latest == known else self.latest

    def close(self) -> None:
        """Wakes all waiting threads and subscribers for the last time."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
        self._notify()

    def _publish(self, latest: LatestUpdate) -> None:
        with self._changed:
            self.latest = latest
            self._changed.notify_all()
        self._notify()

    def _notify(self) -> None:
        for callback in self._subscribers:
            callback()
