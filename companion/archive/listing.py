"""The list of games in an archive, read once and then updated incrementally."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from companion.archive.checksum import game_checksum
from companion.archive.schema import games, parse_time

ROW = (
    games.c.id, games.c.game, games.c.header, games.c.club_table, games.c.changes, games.c.serial, games.c.checksum,
    # Times are read as text: SQLAlchemy would parse them, and one invalid time would break the whole list.
    sa.type_coerce(games.c.begun, sa.String).label("begun"),
    sa.type_coerce(games.c.touched, sa.String).label("touched"),
)  # fmt: skip
# A fingerprint of the table: it differs whenever any program has started, played, imported or deleted a game.
_STATE = sa.select(
    sa.func.count(), sa.func.max(games.c.serial), sa.func.sum(games.c.serial), sa.func.sum(games.c.changes),
    sa.func.min(games.c.id), sa.func.max(games.c.id), sa.func.max(sa.type_coerce(games.c.begun, sa.String)),
)  # fmt: skip
_UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)  # stands for an unreadable time


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """One line of the list of games.

    Attributes:
        header: The record's header text.
        begun, touched: UTC.
        changes: Number of recorded changes.
        intact: Whether this row is intact; its changes are checked separately.
    """

    id: str
    game: str
    header: str
    begun: datetime
    touched: datetime
    changes: int
    club_table: str
    serial: int = 0
    intact: bool = True


class GameList:
    """All games of one archive, the one played last first. Thread-safe."""

    def __init__(self) -> None:
        self._state: tuple[Any, ...] | None = None
        self._games: dict[str, ArchivedGame] = {}
        self._ordered: list[ArchivedGame] = []
        self._lock = threading.Lock()

    def read(self, connection: sa.Connection) -> list[ArchivedGame]:
        """The current list. While games are only played, only changed rows are read."""
        state = tuple(connection.execute(_STATE).one())
        with self._lock:
            if state != self._state:
                if not self._read_changed_rows(connection, state):
                    self._games = _read(connection.execute(sa.select(*ROW)))
                self._ordered = _latest_first(self._games.values())
                self._state = state
            return list(self._ordered)

    def forget(self) -> None:
        """Discards what was read, after rows were repaired."""
        with self._lock:
            self._state = None

    def _read_changed_rows(self, connection: sa.Connection, state: tuple[Any, ...]) -> bool:
        """Updates the known list with rows of a higher serial, and returns whether that made it current."""
        if self._state is None:
            return False
        newest = max((game.serial for game in self._games.values()), default=0)
        found = self._games | _read(connection.execute(sa.select(*ROW).where(games.c.serial > newest)))
        totals = (len(found), sum(game.serial for game in found.values()), sum(game.changes for game in found.values()))
        self._games = found
        return totals == (state[0], state[2] or 0, state[3] or 0)


def from_row(row: sa.Row[Any]) -> ArchivedGame:
    """The row as a value. Invalid columns become harmless defaults, and the row counts as damaged."""
    game_id, game, header = str(row.id), str(row.game), str(row.header)
    begun, touched = parse_time(row.begun), parse_time(row.touched)
    intact = begun is not None and game_checksum(game_id, game, header, begun) == row.checksum
    counts = (row.changes, row.serial)
    intact = intact and all(isinstance(value, str) for value in (row.id, row.game, row.header))
    intact = intact and all(isinstance(count, int) and count >= 0 for count in counts)
    length, serial = (count if isinstance(count, int) else 0 for count in counts)
    begun = begun or _UNKNOWN_TIME
    return ArchivedGame(game_id, game, header, begun, touched or begun, length, str(row.club_table), serial, intact)


def _read(rows: Iterable[sa.Row[Any]]) -> dict[str, ArchivedGame]:
    return {game.id: game for game in map(from_row, rows)}


def _latest_first(found: Iterable[ArchivedGame]) -> list[ArchivedGame]:
    """Games of this archive in the order they were last played, with those played elsewhere sorted in by date.

    A clock that goes backwards must not move the last game before an earlier one, so a game counts as played no earlier
    than the one before it.
    """
    rows: Sequence[ArchivedGame] = sorted(found, key=lambda row: (row.serial, row.id))
    placed: list[tuple[datetime, int, ArchivedGame]] = []
    latest = _UNKNOWN_TIME
    for row in rows:
        latest = max(latest, row.touched) if row.serial else latest
        placed.append((latest if row.serial else row.touched, row.serial, row))
    return [row for _, _, row in sorted(placed, key=lambda one: one[:2], reverse=True)]
