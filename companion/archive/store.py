"""The archive: every change of every game, durable before anyone sees it."""

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
    open_to_read,
)
from companion.archive.listing import ROW, ArchivedGame, GameList, archived
from companion.archive.moments import moment
from companion.archive.schema import changes, games, pictures

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no 0/o, 1/i/l: ids are read aloud and typed


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as its rows say it: the header, and the changes up to the first one that is damaged.

    damage: what is wrong with the rest, None where the whole game is as it was written.
    """

    row: ArchivedGame
    bodies: tuple[dict[str, Any], ...]
    damage: Damaged | None

    def whole(self) -> Kept:
        """The same game. Raises Damaged where it is not whole."""
        if self.damage is not None:
            raise self.damage
        return self


class Archive:
    """Games and their changes in one database; safe to use from several threads and programs.

    Every method raises ArchiveError, one sentence for the players, when the database does not do its part;
    what was committed before stays committed.
    """

    def __init__(self, url: str | None = None, club_table: str = "", *, only_read: Path | None = None) -> None:
        """url: where, this computer's own archive if left out; club_table: what games begun here say of their table.

        only_read: a file instead, which is left as it is; raises Older where its schema is not today's.
        """
        self._engine = open_engine(url or default_url()) if only_read is None else open_to_read(only_read)
        self._club_table = club_table
        self._list = GameList()
        # Written, perhaps: the database failed before it could say so. What is written next takes their place.
        self._unsure_games: set[str] = set()
        self._unsure_changes: dict[tuple[str, int], str] = {}

    def close(self) -> None:
        self._engine.dispose()

    @property
    def file(self) -> Path | None:
        """The file it is, None where it is a server's."""
        return archive_file(self._engine.url.render_as_string(hide_password=False))

    @property
    def shared(self) -> bool:
        """Whether it is a server's, where several tables on several computers may keep their games."""
        return self._engine.dialect.name != "sqlite"

    def begin(self, game: str, header: str, begun: datetime | None = None, *, here: bool = True) -> str:
        """A new game; returns its id. begun: now if left out; here: whether it is played here, or only kept here."""
        now = datetime.now(UTC)
        while True:
            game_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(6))
            row = {"id": game_id, "game": game, "header": header, "begun": begun or now}
            serial = _next_serial() if here else 0
            checksum = game_checksum(**_named(row))
            try:
                with self.transaction() as connection:
                    for unsure in self._unsure_games:
                        connection.execute(sa.delete(games).where(games.c.id == unsure, games.c.changes == 0))
                    connection.execute(
                        sa.insert(games).values(**row, club_table=self._club_table, serial=serial, checksum=checksum)
                    )
            except IntegrityError:
                continue  # one chance in a billion, and then simply the next id
            except ArchiveError:
                self._unsure_games.add(game_id)
                raise
            self._unsure_games.clear()
            return game_id

    def commit(self, game_id: str, number: int, body: Mapping[str, Any], jpeg: bytes | None = None) -> None:
        """Append change `number` (1, 2, …) of a game, with the picture it was seen in; durable when this returns.

        Raises ArchiveError when another program has already recorded that number, or the game is not there.
        """
        at, text = datetime.now(UTC), _json(body)
        checksum = change_checksum(game_id, number, at, text)
        key, unsure = (game_id, number), self._unsure_changes.get((game_id, number))
        try:
            with self.transaction() as connection:
                if unsure is not None:
                    mine = (changes.c.game_id == game_id, changes.c.number == number, changes.c.checksum == unsure)
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
            self._unsure_changes[key] = checksum
            raise
        self._unsure_changes.pop(key, None)

    def row(self, game_id: str) -> ArchivedGame:
        """What the list of games says of one. Raises ArchiveError when there is none."""
        with self.transaction() as connection:
            row = connection.execute(sa.select(*ROW).where(games.c.id == game_id)).first()
        if row is None:
            raise ArchiveError(
                f"there is no game {game_id} in the archive; run `courtside games list` to list all games"
            )
        return archived(row)

    def header(self, game_id: str) -> tuple[str, str]:
        """(game, header text) a game was begun with."""
        row = self.row(game_id)
        return row.game, row.header

    def changes(self, game_id: str) -> list[dict[str, Any]]:
        """Bodies of all changes of a game, in order. Raises Damaged."""
        return list(self.kept(game_id).whole().bodies)

    def kept(self, game_id: str) -> Kept:
        """A game with every change that can be trusted."""
        game = self.row(game_id)
        at = sa.type_coerce(changes.c.at, sa.String).label("at")
        query = sa.select(changes.c.number, at, changes.c.body, changes.c.checksum)
        query = query.where(changes.c.game_id == game_id).order_by(changes.c.number)
        rows: list[sa.Row[Any]] = []
        with suppress(DamagedFile), self.transaction() as connection:
            rows.extend(connection.execute(query))
        bodies: list[dict[str, Any]] = []
        for row in rows:
            body = _sound_body(game_id, row) if row.number == len(bodies) + 1 else None
            if body is None:
                break
            bodies.append(body)
        what = None
        if not game.sound:
            what = "what it was begun with is damaged"
        elif len(bodies) < max(len(rows), game.changes):
            what = f"change {len(bodies) + 1} of {max(len(rows), game.changes)} is damaged or missing"
        return Kept(game, tuple(bodies), None if what is None else Damaged(game_id, len(bodies), what))

    def pictured(self, game_id: str) -> frozenset[int]:
        """Numbers of the changes that a picture was stored with."""
        query = sa.select(pictures.c.number).where(pictures.c.game_id == game_id)
        with self.transaction() as connection:
            return frozenset(connection.scalars(query))

    def picture(self, game_id: str, number: int) -> bytes | None:
        """The JPEG stored with a change, if there is one and it is as it was stored."""
        query = sa.select(pictures.c.jpeg, pictures.c.checksum)
        query = query.where(pictures.c.game_id == game_id, pictures.c.number == number)
        with self.transaction() as connection:
            row = connection.execute(query).first()
        if row is None or not isinstance(row.jpeg, bytes):
            return None
        return row.jpeg if picture_checksum(game_id, number, row.jpeg) == row.checksum else None

    def games(self) -> list[ArchivedGame]:
        """All games, the one played last first, whatever the clocks said; those played elsewhere by their dates."""
        with self.transaction() as connection:
            return self._list.read(connection)

    def reread(self) -> None:
        """Rows of this archive were put right by other means: trust none that were read before."""
        self._list.forget()

    def delete(self, game_id: str) -> None:
        """Forget a game with all its changes and pictures."""
        self.row(game_id)
        with self.transaction() as connection:
            connection.execute(sa.delete(games).where(games.c.id == game_id))

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A connection whose work is kept when the block ends well. Raises ArchiveError, and IntegrityError where a row
        is refused because of those that are there."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise  # says something about the change, not about the database: the caller explains it
        except SQLAlchemyError as error:
            raise explain(error, self._engine) from error


def _next_serial() -> sa.ScalarSelect[int]:
    """One more than any game has: what was played last has the highest."""
    other = games.alias()
    return sa.select(sa.func.coalesce(sa.func.max(other.c.serial), 0) + 1).scalar_subquery()


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"game_id" if name == "id" else name: value for name, value in row.items()}


def _sound_body(game_id: str, row: sa.Row[Any]) -> dict[str, Any] | None:
    """The change a row holds; None when the row is not what was written."""
    at = moment(row.at)
    if at is None or not isinstance(row.body, str):
        return None
    if change_checksum(game_id, row.number, at, row.body) != row.checksum:
        return None
    try:
        body = json.loads(row.body)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _json(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
