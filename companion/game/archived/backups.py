"""Backups of the archive, one for each evening, and restoring from them.

They are beside the archive's file, as `archive-copies/0007-2026-11-23.sqlite3`, and are ordinary archives: each opens
with `--archive sqlite:///…`. They are numbered, because a clock may go backwards. A server's archive has none; its
administrator's backups apply there.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from companion.archive.database import ArchiveError, DamagedFile, OlderSchema
from companion.archive.players import evening_at
from companion.archive.schema import changes, games, pictures
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import ReplayCache

MAX_BACKUPS = 8  # evenings; an archive of two hundred takes some hundred megabytes
MAX_WHILE_DAMAGED = 32  # more are kept while a game is damaged, because an old backup may be the only intact one
_NAME = re.compile(r"(\d{4,})-(\d{4}-\d\d-\d\d)")
_FREE_SPACE_FACTOR = 2.0  # backups that must still fit on the disk


@dataclass(frozen=True, slots=True)
class Backup:
    """The archive at the end of an evening. `number` counts the backups from 1, the oldest first."""

    number: int
    day: date
    path: Path

    @property
    def name(self) -> str:
        """The backup's name for users: the date of the evening."""
        return self.day.isoformat()


@dataclass(frozen=True, slots=True)
class Restored:
    """Games restored from one backup.

    Attributes:
        games: Their ids.
        file: New path of the damaged file, if the whole file was replaced.
    """

    backup: Backup
    games: tuple[str, ...]
    file: Path | None = None


def backups(file: Path) -> list[Backup]:
    """The backups of this archive file, the newest first."""
    found = []
    for path in _folder(file).glob("*.sqlite3"):
        name = _NAME.fullmatch(path.stem)
        with suppress(ValueError):
            if name is not None:
                found.append(Backup(int(name[1]), date.fromisoformat(name[2]), path))
    return sorted(found, key=lambda backup: backup.number, reverse=True)


def make_backup(archive: Archive, checked: Sequence[Summary] | None = None) -> Backup | None:
    """Backs up the archive under the evening it was last played on, and deletes the oldest backups.

    Args:
        checked: Its games, if every row of them has just been checked.

    Returns:
        None if nothing was played since the last backup, or the archive is on a server.

    Raises:
        ArchiveError: The file is damaged (good backups stay), or the disk is full.
    """
    file = archive.file
    known = backups(file) if file is not None else []
    games = game_repository.summaries(archive) if checked is None else checked
    if file is None or not games or (known and _state(known[0].path) == _state(file)):
        return None
    damaged = any(game.damage for game in games)
    day = evening_at(games[0].touched)
    number = known[0].number + 1 if known else 1
    if known and known[0].day == day and not damaged:
        number = known[0].number
    backup = Backup(number, day, _folder(file) / f"{number:04}-{day.isoformat()}.sqlite3")
    new_file = backup.path.with_suffix(".new")
    try:
        backup.path.parent.mkdir(exist_ok=True)
        if shutil.disk_usage(backup.path.parent).free < _FREE_SPACE_FACTOR * file.stat().st_size:
            raise ArchiveError(f"no backup of this evening: the disk of {backup.path.parent} is nearly full")
        _copy_database(file, new_file)
        new_file.replace(backup.path)
        for old in backups(file)[MAX_WHILE_DAMAGED if damaged else MAX_BACKUPS :]:
            old.path.unlink()
    except (OSError, sqlite3.Error) as error:
        raise ArchiveError(f"no backup of this evening in {backup.path.parent}: {error}") from error
    finally:
        with suppress(OSError):
            new_file.unlink(missing_ok=True)
    return backup


def restore_games(archive: Archive, wanted: str | None = None, backup: Backup | None = None) -> list[Restored]:
    """Restores games that are intact in a backup and damaged or missing here. Intact games are not touched.

    Args:
        wanted: A game's id; without it, all damaged games, and with a named `backup` also missing ones.
        backup: The backup; without it, each game comes from the newest in which it is intact.
    """
    games_here = {game.id: game for game in game_repository.summaries(archive)}
    found = []
    for one in [backup] if backup is not None else backups(_file(archive)):
        with _opened(one) as source:
            games_there = {game.id for game in game_repository.summaries(source) if not game.damage}
            if wanted is not None:
                ids = (
                    [wanted]
                    if wanted in games_there and (wanted not in games_here or games_here[wanted].damage)
                    else []
                )
            else:
                ids = [
                    name
                    for name in games_there
                    if (games_here[name].damage if name in games_here else backup is not None)
                ]
            for game_id in ids:
                _copy_game(archive, source, game_id)
        if ids:
            found.append(Restored(one, tuple(sorted(ids))))
            archive.reread()
            games_here = {game.id: game for game in game_repository.summaries(archive)}
    return found


def restore_file(file: Path) -> Restored:
    """Replaces an archive file that is damaged as a whole by its newest intact backup.

    The damaged file is kept beside it, and games that are intact in it are imported as far as it opens.

    Raises:
        ArchiveError: There is no intact backup.
    """
    for backup in backups(file):
        try:
            with _opened(backup) as source:
                ids = [game.id for game in game_repository.summaries(source)]
        except ArchiveError:
            continue
        damaged_file = file.with_name(f"{file.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        try:
            for end in ("", "-wal", "-shm"):
                part = file.with_name(file.name + end)
                if part.exists():
                    part.rename(damaged_file.with_name(damaged_file.name + end))
            shutil.copyfile(backup.path, file)
        except OSError as error:
            raise ArchiveError(f"{file} cannot be repaired: {error.strerror}") from error
        return Restored(backup, tuple(sorted({*ids, *_import_newer_games(damaged_file, file)})), damaged_file)
    raise ArchiveError(f"there is no intact backup of {file}")


def _import_newer_games(damaged: Path, file: Path) -> Iterator[str]:
    """Imports intact games of a damaged file that are newer than in its replacement; yields their ids."""
    with (
        suppress(ArchiveError),
        closing(Archive(f"sqlite:///{damaged.as_posix()}")) as old,
        closing(Archive(f"sqlite:///{file.as_posix()}")) as archive,
    ):
        games_here = {game.id: game.changes for game in archive.games()}
        for row in old.games():
            if row.changes > games_here.get(row.id, -1):
                with suppress(ArchiveError, SQLAlchemyError):
                    old.load(row.id).require_intact()
                    _copy_game(archive, old, row.id)
                    yield row.id


def newest_intact_backup(archive: Archive, game_id: str) -> Backup | None:
    """The newest backup in which this game is intact."""
    for one in backups(archive.file) if archive.file is not None else ():
        with suppress(ArchiveError), _opened(one) as source:
            source.load(game_id).require_intact()
            return one
    return None


def _folder(file: Path) -> Path:
    return file.with_name(f"{file.stem}-copies")


def _file(archive: Archive) -> Path:
    if archive.file is None:
        raise ArchiveError("there are no backups here for an archive on a server; ask its administrator")
    return archive.file


@contextmanager
def _opened(backup: Backup) -> Iterator[Archive]:
    """A backup as an archive. An older schema is migrated in a temporary copy."""
    try:
        archive = Archive(read_only=backup.path)
    except OlderSchema:
        with _migrated(backup) as archive:
            yield archive
        return
    with closing(archive):
        yield archive


@contextmanager
def _migrated(backup: Backup) -> Iterator[Archive]:
    with TemporaryDirectory(dir=backup.path.parent) as folder:
        scratch = Path(folder, backup.path.name)
        try:
            shutil.copyfile(backup.path, scratch)
        except OSError as error:
            raise ArchiveError(f"the backup {backup.path} cannot be read: {error.strerror}") from error
        with closing(Archive(f"sqlite:///{scratch.as_posix()}")) as archive:
            yield archive


def _copy_database(file: Path, to: Path) -> None:
    """A consistent copy of a database that may be in use, verified and flushed to disk."""
    to.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target, pages=2048, sleep=0.01)
        target.execute("PRAGMA journal_mode=DELETE")  # a single file without a WAL beside it
        (verdict,) = target.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise DamagedFile(f"the archive file {file} is damaged: {verdict}")


def _state(file: Path) -> tuple[object, ...] | None:
    """A fingerprint that differs if something was played or deleted; None if unreadable."""
    query = "SELECT count(*), sum(changes), max(serial), max(begun) FROM games"
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return tuple(connection.execute(query).fetchone())
        except sqlite3.Error:
            return None


def _copy_game(archive: Archive, other: Archive, game_id: str) -> None:
    """Copies a game with all its rows from one archive to another, replacing the one there."""
    with other.transaction() as source, archive.transaction() as target:
        target.execute(sa.delete(games).where(games.c.id == game_id))
        for table, key in ((games, games.c.id), (changes, changes.c.game_id), (pictures, pictures.c.game_id)):
            for row in source.execute(sa.select(table).where(key == game_id)).mappings():
                target.execute(sa.insert(table).values(**row))


_CHECK_SECONDS = 60.0  # seconds: an archive of two hundred evenings takes five if no page is active
_PAUSE_FACTOR = 4.0  # pauses, as a multiple of working time, so that pages are hardly slower meanwhile


class ArchiveMaintenance:
    """Each program that serves an archive has one. `say` receives a sentence for each problem."""

    def __init__(self, archive: Archive, past: ReplayCache, say: Callable[[str], None]) -> None:
        self._archive, self._past, self._say = archive, past, say
        self._checking = threading.Thread(target=self._check_and_back_up, name="archive check", daemon=True)
        self._stopped = threading.Event()
        self._reported_games: set[str] = set()

    def start(self) -> None:
        """Checks every row, and backs up an evening that ended badly, in the background."""
        self._checking.start()

    def wait(self) -> None:
        """Waits until every row is checked and the backup is made."""
        self._checking.join()

    def stop(self) -> None:
        """Stops checking and backs up the games played."""
        self._stopped.set()
        self._checking.join(_CHECK_SECONDS)
        self._check_and_back_up()

    def _check_and_back_up(self) -> None:
        try:
            checked = self._past.check(self._archive, self._pause)
            for game in checked:
                if game.damage and game.id not in self._reported_games:
                    self._reported_games.add(game.id)
                    self._say(
                        f"game {game.id} of the archive is damaged ({game.damage}): "
                        f"`courtside games restore {game.id}` brings back a whole copy of it"
                    )
            make_backup(self._archive, checked)
        except ArchiveError as error:
            self._say(str(error))

    def _pause(self, worked: float) -> None:
        self._stopped.wait(_PAUSE_FACTOR * worked)
