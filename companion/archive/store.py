"""The archive: every change of every game, durable before any page shows it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from companion.archive.checksum import change_checksum, game_checksum, picture_checksum
from companion.archive.database import (
    ArchiveError,
    Damaged,
    DamagedFile,
    archive_file,
    default_url,
    explain,
    open_engine,
    open_read_only,
)
from companion.archive.listing import ROW, ArchivedGame, GameList, from_row
from companion.archive.schema import changes, games, parse_time, pictures

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without 0/o and 1/i/l, because ids are read aloud and typed


@dataclass(frozen=True, slots=True)
class StoredRows:
    """A game as stored: the header, and the changes up to the first damaged one.

    Attributes:
        damage: What is wrong with the rest; None if the whole game is intact.
    """

    row: ArchivedGame
    bodies: tuple[dict[str, Any], ...]
    damage: Damaged | None

    def require_intact(self) -> StoredRows:
        """The game, if it is intact to its end.

        Raises:
            Damaged: It is not intact.
        """
        if self.damage is not None:
            raise self.damage
        return self


class Archive:
    """Games and their changes in one database. Safe to use from several threads and programs.

    Every method raises ArchiveError, one sentence for the players, if the database fails; committed changes stay
    committed.
    """

    def __init__(self, url: str | None = None, club_table: str = "", *, read_only: Path | None = None) -> None:
        """Opens the archive.

        Args:
            url: The database, by default this computer's own.
            club_table: The table name for games started here.
            read_only: A file to open read-only instead.

        Raises:
            Older: A read-only file has an older schema.
        """
        self._engine = open_engine(url or default_url()) if read_only is None else open_read_only(read_only)
        self._club_table = club_table
        self._list = GameList()
        # The change may have been written: the database failed before it could confirm. The next change takes its
        # place.
        self._unconfirmed_games: set[str] = set()
        self._unconfirmed_changes: dict[tuple[str, int], str] = {}

    def close(self) -> None:
        """Closes all connections to the database."""
        self._engine.dispose()

    @property
    def file(self) -> Path | None:
        """The archive's file; None for a server."""
        return archive_file(self._engine.url.render_as_string(hide_password=False))

    @property
    def shared(self) -> bool:
        """Whether the archive is a database server, which several tables may share."""
        return self._engine.dialect.name != "sqlite"

    def create_game(self, game: str, header: str, begun: datetime | None = None, *, played_here: bool = True) -> str:
        """Creates a game and returns its id.

        Args:
            begun: By default now.
            played_here: Whether it is played here rather than imported.
        """
        now = datetime.now(UTC)
        while True:
            game_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(6))
            row = {"id": game_id, "game": game, "header": header, "begun": begun or now}
            serial = _next_serial() if played_here else 0
            checksum = game_checksum(game_id, game, header, begun or now)
            try:
                with self.transaction() as connection:
                    for unconfirmed in self._unconfirmed_games:
                        connection.execute(sa.delete(games).where(games.c.id == unconfirmed, games.c.changes == 0))
                    connection.execute(
                        sa.insert(games).values(**row, club_table=self._club_table, serial=serial, checksum=checksum)
                    )
            except IntegrityError:
                continue  # a collision has a probability of one in a billion; try the next id
            except ArchiveError:
                self._unconfirmed_games.add(game_id)
                raise
            self._unconfirmed_games.clear()
            return game_id

    def commit(self, game_id: str, number: int, body: Mapping[str, Any], jpeg: bytes | None = None) -> None:
        """Appends change `number` (1, 2, …) of a game, with its camera image. Durable when this returns.

        Raises:
            ArchiveError: Another program has recorded that number, or the game does not exist.
        """
        at, text = datetime.now(UTC), compact_json(body)
        checksum = change_checksum(game_id, number, at, text)
        key, unconfirmed = (game_id, number), self._unconfirmed_changes.get((game_id, number))
        try:
            with self.transaction() as connection:
                if unconfirmed is not None:
                    mine = (changes.c.game_id == game_id, changes.c.number == number, changes.c.checksum == unconfirmed)
                    connection.execute(sa.delete(changes).where(*mine))
                connection.execute(
                    sa.insert(changes).values(game_id=game_id, number=number, at=at, body=text, checksum=checksum)
                )
                if jpeg is not None:
                    seen = picture_checksum(game_id, number, jpeg)
                    connection.execute(
                        sa.insert(pictures).values(game_id=game_id, number=number, jpeg=jpeg, checksum=seen)
                    )
                played = {"changes": number, "touched": at, "serial": _next_serial()}
                connection.execute(sa.update(games).where(games.c.id == game_id).values(**played))
        except IntegrityError as error:
            self.row(game_id)
            raise ArchiveError(
                f"another program is recording game {game_id}: close one of the programs, then resume the game"
            ) from error
        except ArchiveError:
            self._unconfirmed_changes[key] = checksum
            raise
        self._unconfirmed_changes.pop(key, None)

    def row(self, game_id: str) -> ArchivedGame:
        """The game's line in the list of games.

        Raises:
            ArchiveError: The game does not exist.
        """
        with self.transaction() as connection:
            row = connection.execute(sa.select(*ROW).where(games.c.id == game_id)).first()
        if row is None:
            raise ArchiveError(
                f"there is no game {game_id} in the archive; run `courtside games list` to list all games"
            )
        return from_row(row)

    def load(self, game_id: str) -> StoredRows:
        """A game with every intact change up to the first damaged one."""
        game = self.row(game_id)
        at = sa.type_coerce(changes.c.at, sa.String).label("at")
        query = sa.select(changes.c.number, at, changes.c.body, changes.c.checksum)
        query = query.where(changes.c.game_id == game_id).order_by(changes.c.number)
        rows: list[sa.Row[Any]] = []
        with suppress(DamagedFile), self.transaction() as connection:
            rows.extend(connection.execute(query))
        bodies: list[dict[str, Any]] = []
        for row in rows:
            body = _read_body(game_id, row) if row.number == len(bodies) + 1 else None
            if body is None:
                break
            bodies.append(body)
        damage = None
        if not game.intact:
            damage = "what it was begun with is damaged"
        elif len(bodies) < max(len(rows), game.changes):
            damage = f"change {len(bodies) + 1} of {max(len(rows), game.changes)} is damaged or missing"
        return StoredRows(game, tuple(bodies), None if damage is None else Damaged(game_id, len(bodies), damage))

    def changes_with_picture(self, game_id: str) -> frozenset[int]:
        """Numbers of the changes that have an image."""
        query = sa.select(pictures.c.number).where(pictures.c.game_id == game_id)
        with self.transaction() as connection:
            return frozenset(connection.scalars(query))

    def picture(self, game_id: str, number: int) -> bytes | None:
        """The JPEG stored with a change; None if there is none or it is damaged."""
        query = sa.select(pictures.c.jpeg, pictures.c.checksum)
        query = query.where(pictures.c.game_id == game_id, pictures.c.number == number)
        with self.transaction() as connection:
            row = connection.execute(query).first()
        if row is None or not isinstance(row.jpeg, bytes):
            return None
        return row.jpeg if picture_checksum(game_id, number, row.jpeg) == row.checksum else None

    def games(self) -> list[ArchivedGame]:
        """All games, the one played last first, whatever the clocks said; those played elsewhere by date."""
        with self.transaction() as connection:
            return self._list.read(connection)

    def reread(self) -> None:
        """Discards cached rows after the archive was repaired by other means."""
        self._list.forget()

    def delete(self, game_id: str) -> None:
        """Deletes a game with all its changes and images."""
        self.row(game_id)
        with self.transaction() as connection:
            connection.execute(sa.delete(games).where(games.c.id == game_id))

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A connection whose work is committed at the end of the block.

        Raises:
            ArchiveError: The database fails.
            IntegrityError: A row conflicts with existing ones.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise  # it concerns the change and not the database, so the caller explains it
        except SQLAlchemyError as error:
            raise explain(error, self._engine) from error


def _next_serial() -> sa.ScalarSelect[int]:
    """One more than the highest serial number; the game played last has the highest."""
    other = games.alias()
    return sa.select(sa.func.coalesce(sa.func.max(other.c.serial), 0) + 1).scalar_subquery()


def _read_body(game_id: str, row: sa.Row[Any]) -> dict[str, Any] | None:
    """The change in a row; None if the row is damaged."""
    at = parse_time(row.at)
    if at is None or not isinstance(row.body, str):
        return None
    if change_checksum(game_id, row.number, at, row.body) != row.checksum:
        return None
    try:
        body = json.loads(row.body)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def compact_json(body: Mapping[str, Any]) -> str:
    """JSON without spaces, as rows store it."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
