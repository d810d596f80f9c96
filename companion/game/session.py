"""The game session: the current game at the table, and updates for open pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from companion.game.broadcast import Broadcast
from companion.game.table import Table


@dataclass(frozen=True, slots=True)
class RunningGame:
    """One game at the table.

    Attributes:
        serial: Identifies the game across restarts, and only grows; open pages compare it.
        table: Changes the game.
        id: Its id in the archive; None if it is not archived.
        skipped: Questions no longer asked: numbers of the referee's, texts of those about cards.
    """

    serial: int
    table: Table
    id: str | None
    skipped: set[str] = field(default_factory=set)


class GameSession:
    """The current game. Read from many threads; a game changes only through its table.

    Attributes:
        broadcast: Announces new boards and camera images to open pages.
        running: The current game; None before the first one.
    """

    def __init__(self) -> None:
        self.broadcast = Broadcast()
        self.running: RunningGame | None = None
        self._other_changes = 0  # changes on the board outside the table: advice, camera status, cards
        self._on_begin: list[Callable[[Table], None]] = []
        self._on_change: list[Callable[[RunningGame], None]] = []
        self._lock = threading.Lock()

    def on_begin(self, callback: Callable[[Table], None]) -> None:
        """Registers a callback, called with the table of each new game before it is visible."""
        self._on_begin.append(callback)

    def on_change(self, callback: Callable[[RunningGame], None]) -> None:
        """Registers a callback, called in its own thread after each change of the game."""
        self._on_change.append(callback)

    def begin(self, table: Table, game_id: str | None) -> None:
        """Starts a game at this table."""
        for callback in self._on_begin:
            callback(table)
        with self._lock:
            before = 0 if self.running is None else self.running.serial
            serial = max(before + 1, time.time_ns() // 1_000_000)
            self.running = running = RunningGame(serial, table, game_id)
        self.broadcast.announce_board(self.board_version())
        threading.Thread(target=self._follow, args=(running,), name="board updates", daemon=True).start()

    def board_version(self) -> str:
        """Version of the newest board; it changes whenever anything on the board may have changed."""
        running = self.running
        return "0" if running is None else f"{running.serial}.{running.table.version}.{self._other_changes}"

    def skip(self, question: str) -> None:
        """Stops asking this question; its line still lists the alternatives."""
        if self.running is not None:
            self.running.skipped.add(question)
            self.board_changed()

    def board_changed(self) -> None:
        """Announces that something on the board outside the table has changed."""
        with self._lock:
            self._other_changes += 1
        self.broadcast.announce_board(self.board_version())

    def position(self) -> Any:
        """The current state as if the preview were final; None without a game."""
        running = self.running
        return None if running is None else running.table.preview_state

    def seats(self) -> list[tuple[str, str]]:
        """Letter and name of every player."""
        running = self.running
        return [] if running is None else list(zip("ABCDEF", running.table.record.players, strict=False))

    def expected_dice(self) -> int:
        """Number of dice that must be on the table when a roll has come to rest."""
        running = self.running
        return 0 if running is None else running.table.expected_dice

    def _follow(self, running: RunningGame) -> None:
        version = -1
        while not self.broadcast.closed and self.running is running:
            newest = running.table.wait(version, timeout=1.0)
            if newest != version:
                version = newest
                self.broadcast.announce_board(self.board_version())
                for callback in self._on_change:
                    callback(running)


def today() -> str:
    """The date for a record's header."""
    return datetime.now().astimezone().strftime("%Y-%m-%d")
