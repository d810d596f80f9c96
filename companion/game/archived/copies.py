"""Copies of the archive, one for each evening, and the way back from them.

They lie beside the archive's file, in `archive-copies/0007-2026-11-23.sqlite3`, and are ordinary archives: any of them
opens with `--archive sqlite:///…`. They are numbered, because a clock may go backwards. A server's archive has none;
its keeper's own backups are the right means there.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from companion.archive.database import ArchiveError, DamagedFile, Older
from companion.archive.schema import changes, games, pictures
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.game.archived import game_repository

MOST_COPIES = 8  # evenings; an archive of two hundred is some hundred megabytes large
MOST_WHILE_DAMAGED = 32  # an old copy may be the only one in which a damaged game is whole
MORNING = timedelta(hours=6)  # until then it is still the evening before
_NAME = re.compile(r"(\d{4,})-(\d{4}-\d\d-\d\d)")
_ROOM = 2.0  # a copy is made only where the disk has room for that many more


@dataclass(frozen=True, slots=True)
class Copy:
    """The archive as it was at the end of an evening. number: 1, 2, 3 … in the order they were made."""

    number: int
    day: date
    path: Path

    @property
    def name(self) -> str:
        """How people ask for it: the evening's date."""
        return self.day.isoformat()


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back. games: ids; file: where the damaged file was put, when the whole file was replaced."""

    copy: Copy
    games: tuple[str, ...]
    file: Path | None = None


def copies(file: Path) -> list[Copy]:
    """The copies of the archive in this file, the newest first."""
    found = []
    for path in _folder(file).glob("*.sqlite3"):
        name = _NAME.fullmatch(path.stem)
        with suppress(ValueError):
            if name is not None:
                found.append(Copy(int(name[1]), date.fromisoformat(name[2]), path))
    return sorted(found, key=lambda copy: copy.number, reverse=True)


def keep_copy(archive: Archive, checked: Sequence[Summary] | None = None) -> Copy | None:
    """Copy the archive as it is now, as the copy of the evening it was last played on; the oldest ones go.

    checked: its games, where every row of them has just been looked at. Returns None where nothing has been played
    since the last copy, or the archive is a server's. Raises ArchiveError when the file is damaged (the good copies
    stay), or the disk does not take the copy.
    """
    file = archive.file
    known = copies(file) if file is not None else []
    games = game_repository.summaries(archive) if checked is None else checked
    if file is None or not games or (known and _state(known[0].path) == _state(file)):
        return None
    damaged = any(game.damage for game in games)
    day = (games[0].touched.astimezone() - MORNING).date()
    number = known[0].number + 1 if known else 1
    if known and known[0].day == day and not damaged:
        number = known[0].number
    copy = Copy(number, day, _folder(file) / f"{number:04}-{day.isoformat()}.sqlite3")
    fresh = copy.path.with_suffix(".new")
    try:
        copy.path.parent.mkdir(exist_ok=True)
        if shutil.disk_usage(copy.path.parent).free < _ROOM * file.stat().st_size:
            raise ArchiveError(f"no backup of this evening: the disk of {copy.path.parent} is nearly full")
        _copied(file, fresh)
        fresh.replace(copy.path)
        for old in copies(file)[MOST_WHILE_DAMAGED if damaged else MOST_COPIES :]:
            old.path.unlink()
    except (OSError, sqlite3.Error) as error:
        raise ArchiveError(f"no backup of this evening in {copy.path.parent}: {error}") from error
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
    return copy


def restore_games(archive: Archive, wanted: str | None = None, copy: Copy | None = None) -> list[Restored]:
    """Bring games back that are whole in a copy and damaged, or gone, here. Nothing that is whole here is touched.

    wanted: a game's id; without it, all damaged ones, and with a `copy` named also those that are gone here. Without
    `copy` each comes from the newest that has it whole.
    """
    here = {game.id: game for game in game_repository.summaries(archive)}
    found = []
    for one in [copy] if copy is not None else copies(_file(archive)):
        with _opened(one) as other:
            there = {game.id for game in game_repository.summaries(other) if not game.damage}
            if wanted is not None:
                ids = [wanted] if wanted in there and (wanted not in here or here[wanted].damage) else []
            else:
                ids = [name for name in there if (here[name].damage if name in here else copy is not None)]
            for game_id in ids:
                _take_over(archive, other, game_id)
        if ids:
            found.append(Restored(one, tuple(sorted(ids))))
            archive.reread()
            here = {game.id: game for game in game_repository.summaries(archive)}
    return found


def restore_file(file: Path) -> Restored:
    """Put the newest copy that is sound in the place of a file that is damaged as a whole.

    The damaged file is not thrown away but put beside; games that are whole in it are taken over, as far as it opens.
    Raises ArchiveError.
    """
    for copy in copies(file):
        try:
            with _opened(copy) as other:
                ids = [game.id for game in game_repository.summaries(other)]
        except ArchiveError:
            continue
        aside = file.with_name(f"{file.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        try:
            for end in ("", "-wal", "-shm"):
                part = file.with_name(file.name + end)
                if part.exists():
                    part.rename(aside.with_name(aside.name + end))
            shutil.copyfile(copy.path, file)
        except OSError as error:
            raise ArchiveError(f"{file} cannot be repaired: {error.strerror}") from error
        return Restored(copy, tuple(sorted({*ids, *_saved_from(aside, file)})), aside)
    raise ArchiveError(f"there is no intact backup of {file}")


def _saved_from(damaged: Path, file: Path) -> Iterator[str]:
    """Take over what is whole in a damaged file and newer than in the one that took its place; yields games' ids."""
    with (
        suppress(ArchiveError),
        closing(Archive(f"sqlite:///{damaged.as_posix()}")) as old,
        closing(Archive(f"sqlite:///{file.as_posix()}")) as archive,
    ):
        here = {game.id: game.changes for game in archive.games()}
        for row in old.games():
            if row.changes > here.get(row.id, -1):
                with suppress(ArchiveError, SQLAlchemyError):
                    old.kept(row.id).whole()
                    _take_over(archive, old, row.id)
                    yield row.id


def whole_copy(archive: Archive, game_id: str) -> Copy | None:
    """The newest copy in which this game is whole."""
    for one in copies(archive.file) if archive.file is not None else ():
        with suppress(ArchiveError), _opened(one) as other:
            other.kept(game_id).whole()
            return one
    return None


def _folder(file: Path) -> Path:
    return file.with_name(f"{file.stem}-copies")


def _file(archive: Archive) -> Path:
    if archive.file is None:
        raise ArchiveError("there are no backups here for an archive on a server; ask its administrator")
    return archive.file


@contextmanager
def _opened(copy: Copy) -> Iterator[Archive]:
    """A copy as an archive. One of an older schema is opened on a copy of its own and brought to today's."""
    try:
        archive = Archive(only_read=copy.path)
    except Older:
        with _older(copy) as archive:
            yield archive
        return
    with closing(archive):
        yield archive


@contextmanager
def _older(copy: Copy) -> Iterator[Archive]:
    with TemporaryDirectory(dir=copy.path.parent) as folder:
        scratch = Path(folder, copy.path.name)
        try:
            shutil.copyfile(copy.path, scratch)
        except OSError as error:
            raise ArchiveError(f"the backup {copy.path} cannot be read: {error.strerror}") from error
        with closing(Archive(f"sqlite:///{scratch.as_posix()}")) as archive:
            yield archive


def _copied(file: Path, to: Path) -> None:
    """A consistent copy of a database that may be in use, checked, and safe on the disk when this returns."""
    to.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target, pages=2048, sleep=0.01)
        target.execute("PRAGMA journal_mode=DELETE")  # one file, without companions beside it
        (verdict,) = target.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise DamagedFile(f"the archive file {file} is damaged: {verdict}")


def _state(file: Path) -> tuple[object, ...] | None:
    """What differs between two archives between which something was played or deleted; None where it cannot be read."""
    query = "SELECT count(*), sum(changes), max(serial), max(begun) FROM games"
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return tuple(connection.execute(query).fetchone())
        except sqlite3.Error:
            return None


def _take_over(archive: Archive, other: Archive, game_id: str) -> None:
    """A game with all its rows from one archive into another, in the place of the one that is there."""
    with other.transaction() as source, archive.transaction() as target:
        target.execute(sa.delete(games).where(games.c.id == game_id))
        for table, key in ((games, games.c.id), (changes, changes.c.game_id), (pictures, pictures.c.game_id)):
            for row in source.execute(sa.select(table).where(key == game_id)).mappings():
                target.execute(sa.insert(table).values(**row))
