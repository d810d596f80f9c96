"""Which games an archive has, and in which order they were played: read once, and then only what has been added."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from companion.archive.checksum import game_checksum
from companion.archive.moments import moment
from companion.archive.schema import games

ROW = (
    games.c.id, games.c.game, games.c.header, games.c.club_table, games.c.changes, games.c.serial, games.c.checksum,
    # SQLAlchemy would read times itself, and one that is none would spoil the whole list.
    sa.type_coerce(games.c.begun, sa.String).label("begun"),
    sa.type_coerce(games.c.touched, sa.String).label("touched"),
)  # fmt: skip
# What differs between two moments between which a game was begun, played, taken in or deleted, by whatever program.
_STATE = sa.select(
    sa.func.count(), sa.func.max(games.c.serial), sa.func.sum(games.c.serial), sa.func.sum(games.c.changes),
    sa.func.min(games.c.id), sa.func.max(games.c.id), sa.func.max(sa.type_coerce(games.c.begun, sa.String)),
)  # fmt: skip
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)  # stands for a time that cannot be read


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """One line of the list of games.

    header: the record's header text; begun, touched: UTC; changes: how many were recorded; sound: whether this row is
    as it was written (its changes are another matter).
    """

    id: str
    game: str
    header: str
    begun: datetime
    touched: datetime
    changes: int
    club_table: str
    serial: int = 0
    sound: bool = True


class GameList:
    """All games of one archive, the one played last first. Safe to use from several threads."""

    def __init__(self) -> None:
        self._state: tuple[Any, ...] | None = None
        self._games: dict[str, ArchivedGame] = {}
        self._ordered: list[ArchivedGame] = []
        self._lock = threading.Lock()

    def read(self, connection: sa.Connection) -> list[ArchivedGame]:
        """The list of now. While games are only played, no more is read than those that were."""
        state = tuple(connection.execute(_STATE).one())
        with self._lock:
            if state != self._state:
                if not self._goes_on(connection, state):
                    self._games = _read(connection.execute(sa.select(*ROW)))
                self._ordered = _latest_first(self._games.values())
                self._state = state
            return list(self._ordered)

    def forget(self) -> None:
        """Rows were put right: read them all anew."""
        with self._lock:
            self._state = None

    def _goes_on(self, connection: sa.Connection, state: tuple[Any, ...]) -> bool:
        """Whether what has a higher number than any game had makes the known list the one of now; then it does."""
        if self._state is None:
            return False
        newest = max((game.serial for game in self._games.values()), default=0)
        found = self._games | _read(connection.execute(sa.select(*ROW).where(games.c.serial > newest)))
        totals = (len(found), sum(game.serial for game in found.values()), sum(game.changes for game in found.values()))
        self._games = found
        return totals == (state[0], state[2] or 0, state[3] or 0)


def archived(row: sa.Row[Any]) -> ArchivedGame:
    """The row as a value. What cannot be what it should be stands there as something harmless, and as not sound."""
    game_id, game, header = str(row.id), str(row.game), str(row.header)
    begun, touched = moment(row.begun), moment(row.touched)
    sound = begun is not None and game_checksum(game_id, game, header, begun) == row.checksum
    counts = (row.changes, row.serial)
    sound = sound and all(isinstance(value, str) for value in (row.id, row.game, row.header))
    sound = sound and all(isinstance(count, int) and count >= 0 for count in counts)
    length, serial = (count if isinstance(count, int) else 0 for count in counts)
    begun = begun or _NEVER
    return ArchivedGame(game_id, game, header, begun, touched or begun, length, str(row.club_table), serial, sound)


def _read(rows: Iterable[sa.Row[Any]]) -> dict[str, ArchivedGame]:
    return {game.id: game for game in map(archived, rows)}


def _latest_first(found: Iterable[ArchivedGame]) -> list[ArchivedGame]:
    """Games of this archive in the order they were played last, and between them, by date, those played elsewhere.

    A clock that goes backwards in mid-evening must not put the last game before an earlier one, so a game counts as
    played no earlier than the one before it.
    """
    rows: Sequence[ArchivedGame] = sorted(found, key=lambda row: (row.serial, row.id))
    placed: list[tuple[datetime, int, ArchivedGame]] = []
    latest = _NEVER
    for row in rows:
        latest = max(latest, row.touched) if row.serial else latest
        placed.append((latest if row.serial else row.touched, row.serial, row))
    return [row for _, _, row in sorted(placed, key=lambda one: one[:2], reverse=True)]
