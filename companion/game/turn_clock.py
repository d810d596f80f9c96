"""The turn timer: warns if a turn exceeds the agreed time, but never ends a turn."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.game.session import RunningGame
from engine.record import Record

TURN_LIMIT_TAG = "TurnSeconds"  # of the record's header
TURN_LIMITS = (60, 90, 120, 180, 300)  # seconds


@dataclass(frozen=True, slots=True)
class TurnTime:
    """The running turn.

    Attributes:
        limit: Seconds that the players agreed on.
        elapsed: Seconds since the turn started.
        name: The player on turn.
    """

    limit: int
    elapsed: float
    name: str


def turn_limit(record: Record) -> int:
    """The agreed seconds for a turn of this game; 0 for no limit."""
    text = record.value(TURN_LIMIT_TAG) or ""
    return int(text) if text in map(str, TURN_LIMITS) else 0


class TurnClock:
    """Measures the current turn. A turn that is undone starts again.

    Args:
        seconds: A monotonic clock.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._turn: tuple[int, int, str] | None = None  # game, round, seat
        self._started = 0.0
        self._lock = threading.Lock()

    def follow(self, running: RunningGame) -> None:
        """Restarts the clock on a new turn. Call it after every change of the game."""
        state = running.table.state
        turn = (running.serial, state.round, running.table.record.game.on_turn(state))
        with self._lock:
            if turn != self._turn:
                self._turn, self._started = turn, self._seconds()

    def time(self, running: RunningGame) -> TurnTime | None:
        """The time of the current turn; None if the game has no limit or is over."""
        table = running.table
        limit = turn_limit(table.record)
        if not limit or table.state.finished:
            return None
        self.follow(running)
        return TurnTime(
            limit, self._seconds() - self._started, table.record.name(table.record.game.on_turn(table.state))
        )
