"""Opens the archive's database and brings it to today's schema."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

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


class Damaged(ArchiveError):
    """One game of the archive cannot be read; the others can."""


def default_url() -> str:
    """SQLite in the user's data folder, which is made when it is missing."""
    folder = user_data_path("courtside", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArchiveError(f"the data folder {folder} cannot be made: {error.strerror}") from error
    return f"sqlite:///{(folder / 'archive.sqlite3').as_posix()}"


def open_engine(url: str) -> sa.Engine:
    """An engine whose schema is up to date.

    Raises ArchiveError when the URL is none, the database does not open, is no archive, or is a newer program's.
    """
    try:
        engine = sa.create_engine(url, pool_pre_ping=True)
    except (BadUrl, NoSuchModuleError) as error:
        raise ArchiveError(
            f"{url!r} is no archive address; expected sqlite:///FILE or postgresql+psycopg://…"
        ) from error
    except ModuleNotFoundError as error:
        raise ArchiveError("PostgreSQL archives need one more package: pip install 'courtside[postgresql]'") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _sqlite_promises)
    try:
        _migrate(engine)
    except SQLAlchemyError as error:
        engine.dispose()
        raise ArchiveError(explain(error, engine)) from error
    return engine


def _sqlite_promises(connection: sqlite3.Connection, _: Any) -> None:
    # WAL lets pages read while the table writes; FULL makes a committed change survive a power cut.
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={_LOCK_SECONDS * 1000}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _migrate(engine: sa.Engine) -> None:
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS.as_posix())
    script = ScriptDirectory.from_config(config)
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current == script.get_current_head():
        return
    known = {revision.revision for revision in script.walk_revisions()}
    if current is not None and current not in known:
        raise ArchiveError(f"this archive was written by a newer Courtside (schema {current}); please update")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def explain(error: SQLAlchemyError, engine: sa.Engine) -> str:
    """One sentence for the players: what is wrong with the archive, and what they can do."""
    reason = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()[0]
    where = engine.url.render_as_string(hide_password=True)
    for sign, sentence in (
        ("disk is full", "the disk is full: free some space, nothing recorded so far is lost"),
        ("readonly", "the archive may not be written: check the rights of its folder"),
        ("database is locked", "another program holds the archive locked: close it and try again"),
        ("unable to open", "the archive does not open: check that its folder exists and may be written"),
        ("not a database", "the archive's file is damaged or no archive at all"),
        ("malformed", "the archive's file is damaged"),
        ("disk I/O error", "the disk of the archive does not answer"),
        ("connection", "the archive's server does not answer"),
    ):
        if sign in reason:
            return f"{sentence} ({where})"
    return f"the archive refused: {reason} ({where})"
