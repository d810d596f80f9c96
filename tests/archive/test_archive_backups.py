"""The archive is checked at the start and backed up every evening; a backup replaces a damaged file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.archive.database import ArchiveError, DamagedFile
from companion.archive.store import Archive
from companion.cli_errors import CliError
from companion.game.archived import game_repository
from companion.game.archived.backups import MAX_BACKUPS, backups, make_backup, restore_file, restore_games
from tests.archive.damaged_games import DAMAGES, EVENTS, bodies, games, played
from tests.archive.days import at_day
from tests.kit.served_app import enter, served_app


def test_every_evening_is_copied_and_the_oldest_go(
    archive: Archive, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, MAX_BACKUPS + 4):
        at_day(monkeypatch, f"2026-03-{number:02}T20:00:00+00:00")
        game = played(archive)
        assert make_backup(archive) is not None
        assert make_backup(archive) is None  # nothing has been played since
    days = [copy.name for copy in backups(file)]
    assert days == [f"2026-03-{number:02}" for number in range(MAX_BACKUPS + 3, 3, -1)]
    at_day(monkeypatch, "1999-01-01T20:00:00+00:00")  # a clock that has lost its battery
    played(archive)
    make_backup(archive)
    assert backups(file)[0].name == "1999-01-01"
    DAMAGES["half a change"][0](file, game)
    played(archive)
    make_backup(archive)
    assert len(backups(file)) == MAX_BACKUPS + 1  # while a game is damaged, no copy goes that may have it whole


def test_a_file_that_is_damaged_as_a_whole_is_put_aside_and_its_copy_takes_its_place(
    archive: Archive, file: Path, tmp_path: Path
) -> None:
    game_id = played(archive)
    before = game_repository.export(archive, game_id, "json")
    make_backup(archive)
    archive.close()
    for part in tmp_path.glob("archive.sqlite3*"):
        part.unlink()
    file.write_bytes(b"a letter, by mistake saved under this name " * 200)
    listed = games(file, "list")
    assert (listed.exit_code, "games restore" in listed.stderr) == (2, True)
    with pytest.raises(CliError, match="games restore"), served_app(tmp_path):
        pass
    restored = games(file, "restore")
    assert restored.exit_code == 0
    assert game_id in restored.stdout
    assert game_repository.export(Archive(f"sqlite:///{file.as_posix()}"), game_id, "json") == before
    (aside,) = tmp_path.glob("archive.sqlite3.damaged-*")
    assert aside.read_bytes().startswith(b"a letter")


@pytest.mark.slow
def test_pages_torn_out_of_the_file_cost_only_the_games_that_stood_on_them(tmp_path: Path) -> None:
    """For each page of the file: every game is intact, reported as damaged, or the whole file is; all are restored from
    the backup."""
    file = tmp_path / "archive.sqlite3"
    with closing(Archive(f"sqlite:///{file.as_posix()}")) as archive:
        ids = [played(archive, "Anna", f"Bert {number}", events=EVENTS * 1) for number in range(12)]
        for _ in range(3):
            for game_id in ids:
                table = game_repository.resume(archive, game_id)
                table.undo()
                table.redo()
        before = {game_id: game_repository.export(archive, game_id, "json") for game_id in ids}
        make_backup(archive)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    sound = file.read_bytes()
    size = int.from_bytes(sound[16:18], "big")
    said = 0
    for page in range(1, len(sound) // size):  # page 0 says that it is a database: that is the test above
        file.write_bytes(sound[: page * size] + b"\0" * size + sound[(page + 1) * size :])
        try:
            with closing(Archive(f"sqlite:///{file.as_posix()}")) as archive:
                for game in game_repository.summaries(archive):
                    if game.damage:
                        said += 1
                    else:
                        assert game_repository.export(archive, game.id, "json") == before[game.id], page
                restore_games(archive)
                assert not any(game.damage for game in game_repository.summaries(archive))
        except DamagedFile:
            said += 1
            restore_file(file)
        except ArchiveError:  # the damage is in the page that names the schema
            restore_file(file)
        with closing(Archive(f"sqlite:///{file.as_posix()}")) as archive:
            assert {game.id: game_repository.export(archive, game.id, "json") for game in archive.games()} == before, (
                page
            )
            for part in file.parent.glob("archive.sqlite3*"):
                if part != file:
                    part.unlink()
    assert said


def test_the_archive_is_checked_at_the_start_and_copied_at_the_end(file: Path, tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        enter(running_app, *EVENTS)
        assert running_app.app_state.session.running is not None
        game_id = running_app.app_state.session.running.id or ""
    assert len(backups(file)) == 1
    DAMAGES["half a change"][0](file, game_id)
    said: list[str] = []
    with served_app(tmp_path, output=said) as running_app:
        assert running_app.maintenance is not None
        running_app.maintenance.stop()
    assert f"game {game_id} of the archive is damaged" in " ".join(said)
    with closing(Archive(f"sqlite:///{file.as_posix()}")) as archive:
        assert [one.games for one in restore_games(archive)] == [(game_id,)]
        assert len(bodies(archive, game_id)) == len(EVENTS)
