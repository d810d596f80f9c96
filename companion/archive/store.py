"""The archive: every change of every game, durable before anyone sees it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from companion.archive.database import ArchiveError, default_url, explain, open_engine
from companion.archive.schema import changes, games, pictures

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no 0/o, 1/i/l: ids are read aloud and typed


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """One line of the list of games: header is the record's header text, begun and touched are UTC."""

    id: str
    game: str
    header: str
    begun: datetime
    touched: datetime
    changes: int
    club_table: str


class Archive:
    """Games and their changes in one database; safe to use from several threads and programs.

    Every method raises ArchiveError, one sentence for the players, when the database does not do its part;
    what was committed before stays committed.
    """

    def __init__(self, url: str | None = None, club_table: str = "") -> None:
        """url: where, this computer's own archive if left out; club_table: what games begun here say of their table."""
        self._engine = open_engine(url or default_url())
        self._club_table = club_table

    def close(self) -> None:
        self._engine.dispose()

    @property
    def shared(self) -> bool:
        """Whether it is a server's, where several tables on several computers may keep their games."""
        return self._engine.dialect.name != "sqlite"

    def begin(self, game: str, header: str) -> str:
        """A new game; returns its id."""
        row = {"game": game, "header": header, "begun": datetime.now(UTC), "club_table": self._club_table}
        while True:
            game_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(6))
            try:
                with self._transaction() as connection:
                    connection.execute(sa.insert(games).values(id=game_id, **row))
            except IntegrityError:
                continue  # one chance in a billion, and then simply the next id
            return game_id

    def commit(self, game_id: str, number: int, body: Mapping[str, Any], jpeg: bytes | None = None) -> None:
        """Append change `number` (1, 2, …) of a game, with the picture it was seen in; durable when this returns.

        Raises ArchiveError when another program has already recorded that number, or the game is not there.
        """
        row = {"game_id": game_id, "number": number, "at": datetime.now(UTC), "body": _json(body)}
        try:
            with self._transaction() as connection:
                connection.execute(sa.insert(changes).values(row))
                if jpeg is not None:
                    connection.execute(sa.insert(pictures).values(game_id=game_id, number=number, jpeg=jpeg))
        except IntegrityError as error:
            self._must_exist(game_id)
            raise ArchiveError(
                f"another program is recording game {game_id}: close one of the two, then resume the game"
            ) from error

    def header(self, game_id: str) -> tuple[str, str]:
        """(game, header text) a game was begun with."""
        row = self._must_exist(game_id)
        return row.game, row.header

    def changes(self, game_id: str) -> list[dict[str, Any]]:
        """Bodies of all changes of a game, in order."""
        self._must_exist(game_id)
        query = sa.select(changes.c.body).where(changes.c.game_id == game_id).order_by(changes.c.number)
        with self._transaction() as connection:
            return [json.loads(body) for body in connection.scalars(query)]

    def extent(self, game_id: str) -> int:
        """How many changes a game has."""
        self._must_exist(game_id)
        query = sa.select(sa.func.count()).select_from(changes).where(changes.c.game_id == game_id)
        with self._transaction() as connection:
            return connection.scalar(query) or 0

    def pictured(self, game_id: str) -> frozenset[int]:
        """Numbers of the changes that a picture was stored with."""
        query = sa.select(pictures.c.number).where(pictures.c.game_id == game_id)
        with self._transaction() as connection:
            return frozenset(connection.scalars(query))

    def picture(self, game_id: str, number: int) -> bytes | None:
        """The JPEG stored with a change, if there is one."""
        query = sa.select(pictures.c.jpeg).where(pictures.c.game_id == game_id, pictures.c.number == number)
        with self._transaction() as connection:
            return connection.scalar(query)

    def games(self) -> list[ArchivedGame]:
        """All games, the one touched last first."""
        touched = sa.func.coalesce(sa.func.max(changes.c.at), games.c.begun).label("touched")
        count = sa.func.count(changes.c.number).label("changes")
        query = (
            sa.select(games.c.id, games.c.game, games.c.header, games.c.begun, touched, count, games.c.club_table)
            .outerjoin(changes, changes.c.game_id == games.c.id)
            .group_by(games.c.id, games.c.game, games.c.header, games.c.begun, games.c.club_table)
            .order_by(touched.desc(), games.c.id)
        )
        with self._transaction() as connection:
            return [
                ArchivedGame(
                    row.id,
                    row.game,
                    row.header,
                    _utc(row.begun),
                    _utc(row.touched),
                    row.changes,
                    row.club_table,
                )
                for row in connection.execute(query)
            ]

    def delete(self, game_id: str) -> None:
        """Forget a game with all its changes and pictures."""
        self._must_exist(game_id)
        with self._transaction() as connection:
            connection.execute(sa.delete(games).where(games.c.id == game_id))

    def _must_exist(self, game_id: str) -> sa.Row[Any]:
        with self._transaction() as connection:
            row = connection.execute(sa.select(games).where(games.c.id == game_id)).first()
        if row is None:
            raise ArchiveError(f"there is no game {game_id} in the archive; `courtside games list` shows all")
        return row

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise  # says something about the change, not about the database: the caller explains it
        except SQLAlchemyError as error:
            raise ArchiveError(explain(error, self._engine)) from error


def _json(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _utc(moment: datetime | str) -> datetime:
    # SQLite keeps no time zone; all times in the archive are UTC.
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
