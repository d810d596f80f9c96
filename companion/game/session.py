"""The game at the table, whoever plays it now, and the news of it for open pages."""

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
        serial: tells it from every other game, also from those before a restart: pages that were open then compare it.
            It only ever grows.
        table: changes the game.
        id: of the game in the archive, None when it is not kept there.
        skipped: questions that are asked no longer: numbers of the referee's, texts of those about cards.
    """

    serial: int
    table: Table
    id: str | None
    skipped: set[str] = field(default_factory=set)


class GameSession:
    """Which game is played now. Read from many threads; a game changes through its table only.

    Attributes:
        broadcast: announces a newer board or picture to open pages.
    """

    def __init__(self) -> None:
        self.broadcast = Broadcast()
        self._running: RunningGame | None = None
        self._changes = 0  # of what the board shows besides the table: advice, the camera's state, cards seen
        self._beginning: list[Callable[[Table], None]] = []
        self._changed: list[Callable[[RunningGame], None]] = []
        self._lock = threading.Lock()

    def on_begin(self, call: Callable[[Table], None]) -> None:
        """From now on call this with the table of each new game, before anyone sees it."""
        self._beginning.append(call)

    def on_change(self, call: Callable[[RunningGame], None]) -> None:
        """From now on call this after each change of the running game, in a thread of its own."""
        self._changed.append(call)

    @property
    def running(self) -> RunningGame | None:
        """The game being played, None before the first one."""
        return self._running

    def begin(self, table: Table, game_id: str | None) -> None:
        """Play at this table from now on."""
        for call in self._beginning:
            call(table)
        with self._lock:
            before = 0 if self._running is None else self._running.serial
            serial = max(before + 1, time.time_ns() // 1_000_000)
            self._running = running = RunningGame(serial, table, game_id)
        self.broadcast.board(self.board_name())
        threading.Thread(target=self._follow, args=(running,), name="board news", daemon=True).start()

    def board_name(self) -> str:
        """Names the newest board: another one whenever anything on it may have changed."""
        running = self._running
        return "0" if running is None else f"{running.serial}.{running.table.version}.{self._changes}"

    def skip(self, question: str) -> None:
        """Ask this question no longer; its line in the record goes on saying what it may have been."""
        if self._running is not None:
            self._running.skipped.add(question)
            self.board_changed()

    def board_changed(self) -> None:
        """Something that the board shows besides the table has changed."""
        with self._lock:
            self._changes += 1
        self.broadcast.board(self.board_name())

    def position(self) -> Any:
        """The position of now, as if what the camera sees being set aside were final; None without a game."""
        running = self._running
        return None if running is None else running.table.preview_state

    def seats(self) -> list[tuple[str, str]]:
        """Letter and name of every player."""
        running = self._running
        return [] if running is None else list(zip("ABCDEF", running.table.record.players, strict=False))

    def dice_due(self) -> int:
        """How many dice must lie on the table when a roll has come to rest."""
        running = self._running
        return 0 if running is None else running.table.dice_due

    def _follow(self, running: RunningGame) -> None:
        version = -1
        while not self.broadcast.closed and self._running is running:
            newest = running.table.wait(version, timeout=1.0)
            if newest != version:
                version = newest
                self.broadcast.board(self.board_name())
                for call in self._changed:
                    call(running)


def today() -> str:
    """The date for a record's header."""
    return datetime.now().astimezone().strftime("%Y-%m-%d")
