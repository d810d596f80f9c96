"""Opens the archive's database and migrates it to the current schema."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy.exc import ArgumentError as BadUrl
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_SECONDS = 5


class ArchiveError(RuntimeError):
    """The archive cannot do what was asked; the message is one sentence for the players."""


class DamagedFile(ArchiveError):
    """The archive's file is damaged where it was read; other parts may be readable."""


class OlderSchema(ArchiveError):
    """The archive has an older schema and may not be written to migrate it."""


class Damaged(ArchiveError):
    """One game of the archive cannot be read to its end; others can.

    Attributes:
        game_id: The game.
        intact_changes: Number of its changes, from the first, that are intact.
    """

    def __init__(self, game_id: str, intact_changes: int, reason: str) -> None:
        super().__init__(f"game {game_id} of the archive cannot be read: {reason}")
        self.game_id, self.intact_changes, self.reason = game_id, intact_changes, reason


def default_url() -> str:
    """SQLite in the user's data folder, which is created if missing."""
    folder = user_data_path("courtside", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArchiveError(f"the data folder {folder} cannot be created: {error.strerror}") from error
    return f"sqlite:///{(folder / 'archive.sqlite3').as_posix()}"


def archive_file(url: str | None) -> Path | None:
    """The file of an archive, by default this computer's own; None for a server or an invalid URL."""
    try:
        found = sa.make_url(url or default_url())
    except BadUrl:
        return None
    return Path(found.database) if found.get_backend_name() == "sqlite" and found.database else None


def open_engine(url: str) -> sa.Engine:
    """An engine with the current schema.

    Raises:
        ArchiveError: The URL is invalid, the database does not open, is not an archive, or was written by a newer
            program.
    """
    try:
        engine = sa.create_engine(url, pool_pre_ping=True)
    except (BadUrl, NoSuchModuleError) as error:
        raise ArchiveError(
            f"{url!r} is not an archive address; expected sqlite:///FILE or postgresql+psycopg://…"
        ) from error
    except ModuleNotFoundError as error:
        raise ArchiveError("PostgreSQL archives need one more package: pip install 'courtside[postgresql]'") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _configure_sqlite)
        sa.event.listen(engine, "begin", _begin_explicitly)
    else:
        from companion.archive.postgresql import add_timeouts  # late: its driver need not be installed

        add_timeouts(engine)
    try:
        _migrate(engine)
    except SQLAlchemyError as error:
        engine.dispose()
        raise explain(error, engine) from error
    return engine


def open_read_only(file: Path) -> sa.Engine:
    """A read-only engine that leaves an unused file exactly as it is.

    Raises:
        Older: It must be migrated first.
        ArchiveError: As for `open_engine`.
    """
    engine = sa.create_engine(f"sqlite:///file:{quote(file.absolute().as_posix())}?mode=ro&immutable=1&uri=true")
    sa.event.listen(engine, "connect", _decode_leniently)
    try:
        if not _up_to_date(engine, _migrations()):
            raise OlderSchema(f"{file} was written by an older Courtside")
    except SQLAlchemyError as error:
        engine.dispose()
        raise explain(error, engine) from error
    except ArchiveError:
        engine.dispose()
        raise
    return engine


def _decode_leniently(connection: sqlite3.Connection, _: Any) -> None:
    # Invalid text must affect its own row only; the row's checksum detects it.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")


def _configure_sqlite(connection: sqlite3.Connection, record: Any) -> None:
    _decode_leniently(connection, record)
    # WAL lets pages read while the table writes; FULL keeps a committed change through a power cut.
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={_LOCK_SECONDS * 1000}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    # The driver starts transactions itself, but not before statements that change the schema. An interrupted migration
    # must leave the archive as it was, so transactions are started explicitly.
    connection.isolation_level = None


def _begin_explicitly(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _migrate(engine: sa.Engine) -> None:
    config = _migrations()
    if _up_to_date(engine, config):
        return
    with engine.begin() as connection, _without_time_limits(connection):
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _without_time_limits(connection: sa.Connection) -> AbstractContextManager[None]:
    """Removes the time limits for a migration."""
    if connection.dialect.name == "sqlite":
        return nullcontext()
    from companion.archive.postgresql import without_time_limits  # late, as above

    return without_time_limits(connection)


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS.as_posix())
    return config


def _up_to_date(engine: sa.Engine, config: Config) -> bool:
    """Whether the schema is current.

    Raises:
        ArchiveError: It is a later one.
    """
    script = ScriptDirectory.from_config(config)
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current == script.get_current_head():
        return True
    known = {revision.revision for revision in script.walk_revisions()}
    if current is not None and current not in known:
        raise ArchiveError(f"this archive was written by a newer Courtside (schema {current}); please update")
    return False


def explain(error: SQLAlchemyError, engine: sa.Engine) -> ArchiveError:
    """One sentence for the players: what is wrong with the archive, and what they can do."""
    reason = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()[0]
    where = engine.url.render_as_string(hide_password=True)
    for sign, sentence, kind in (
        ("disk is full", "the disk is full: free some space, nothing recorded so far is lost", ArchiveError),
        ("readonly", "the archive may not be written: check the rights of its folder", ArchiveError),
        ("database is locked", "another program holds the archive locked: close it and try again", ArchiveError),
        ("unable to open", "the archive does not open: check that its folder exists and may be written", ArchiveError),
        ("not a database", "the archive's file is damaged or no archive at all", DamagedFile),
        ("malformed", "the archive's file is damaged", DamagedFile),
        ("disk I/O error", "the disk of the archive does not answer", ArchiveError),
        ("statement timeout", "the archive's server is too slow to answer", ArchiveError),
        ("lock timeout", "another program holds the archive locked: close it and try again", ArchiveError),
        ("connection", "the archive's server does not answer", ArchiveError),
    ):
        if sign in reason:
            return kind(f"{sentence} ({where})")
    return ArchiveError(f"the archive reported an error: {reason} ({where})")
