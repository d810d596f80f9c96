"""Notifies waiting viewers of updates without a queue: slow viewers skip to the latest."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class BoardEdition:
    """The newest content: name of the board, number of the camera image."""

    board: str = ""
    picture: int = 0


class Broadcast:
    """The newest edition, and a way to wait for a newer one.

    Attributes:
        closed: The application is closing, so that streams should end.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.edition = BoardEdition()
        self.closed = False
        self._subscribers: list[Callable[[], None]] = []

    def subscribe(self, heard: Callable[[], None]) -> Callable[[], None]:
        """Registers a callback, called in the thread of each update, where it must not block. Returns a function
        that removes it."""
        self._subscribers = [*self._subscribers, heard]

        def unsubscribe() -> None:
            self._subscribers = [one for one in self._subscribers if one is not heard]

        return unsubscribe

    def board(self, name: str) -> None:
        """Announces a board of this name."""
        self._publish(replace(self.edition, board=name))

    def picture(self, number: int) -> None:
        """Announces a newer camera image."""
        self._publish(replace(self.edition, picture=number))

    def after(self, known: BoardEdition | None, timeout: float) -> BoardEdition | None:
        """The newest edition as soon as it differs from `known`; None after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self.edition != known, timeout)
            return None if self.edition == known else self.edition

    def close(self) -> None:
        """Wakes all waiting viewers for the last time."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
        self._spread()

    def _publish(self, edition: BoardEdition) -> None:
        with self._changed:
            self.edition = edition
            self._changed.notify_all()
        self._spread()

    def _spread(self) -> None:
        for heard in self._subscribers:
            heard()
