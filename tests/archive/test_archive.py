"""The archive keeps what was committed, refuses to rewrite it, and explains errors in one sentence."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from tests.archive.damaged_games import bodies

HEADER = '[Game "krone"]\n[Players "Anna" "Bert"]\n'


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}"


def test_changes_come_back_in_order_from_a_newly_opened_archive(url: str) -> None:
    archive = Archive(url)
    game = archive.create_game("krone", HEADER)
    for number in range(1, 13):
        archive.commit(game, number, {"event": f"A roll {number % 6 + 1}", "name": "Jürgen 道化師"})
    archive.close()
    again = Archive(url)
    assert [body["event"][-1] for body in bodies(again, game)] == [str(n % 6 + 1) for n in range(1, 13)]
    assert (again.row(game).game, again.row(game).header) == ("krone", HEADER)


def test_a_recorded_change_is_final(url: str, tmp_path: Path) -> None:
    archive = Archive(url)
    game = archive.create_game("krone", HEADER)
    archive.commit(game, 1, {"event": "A roll 1 1 1"})
    with (
        sqlite3.connect(tmp_path / "archive.sqlite3") as connection,
        pytest.raises(sqlite3.IntegrityError, match="final"),
    ):
        connection.execute("UPDATE changes SET body = '{}'")


def test_the_second_of_two_programs_recording_one_game_gets_an_error(url: str) -> None:
    first, second = Archive(url), Archive(url)
    game = first.create_game("krone", HEADER)
    first.commit(game, 1, {"event": "A roll 1 1 1"})
    with pytest.raises(ArchiveError, match="another program is recording"):
        second.commit(game, 1, {"event": "A roll 2 2 2"})
    assert bodies(second, game) == [{"event": "A roll 1 1 1"}]


def test_two_games_recorded_at_once_lose_nothing(url: str) -> None:
    archive = Archive(url)
    ids = [archive.create_game("krone", HEADER) for _ in range(4)]

    def record(game: str) -> None:
        for number in range(1, 31):
            archive.commit(game, number, {"n": number})

    threads = [threading.Thread(target=record, args=(game,)) for game in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [[body["n"] for body in bodies(archive, game)] for game in ids] == [list(range(1, 31))] * 4


def test_a_deleted_game_takes_its_pictures_along(url: str, tmp_path: Path) -> None:
    archive = Archive(url)
    game = archive.create_game("krone", HEADER)
    archive.commit(game, 1, {"event": "A roll 1 1 1"}, jpeg=b"\xff\xd8 picture")
    assert archive.picture(game, 1) == b"\xff\xd8 picture"
    archive.delete(game)
    with pytest.raises(ArchiveError, match="no game"):
        bodies(archive, game)
    with sqlite3.connect(tmp_path / "archive.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM pictures").fetchone() == (0,)


def test_games_are_listed_with_the_one_touched_last_first(url: str) -> None:
    archive = Archive(url)
    older, newer = archive.create_game("krone", HEADER), archive.create_game("knatsch", HEADER)
    archive.commit(older, 1, {"n": 1})
    assert [(game.id, game.changes) for game in archive.games()] == [(older, 1), (newer, 0)]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.write_bytes(b"this is no database at all, it is a letter" * 50), "no archive"),
        (lambda path: path.mkdir(), "does not open"),
    ],
)
def test_a_file_that_is_no_archive_gets_a_sentence(tmp_path: Path, make, sentence: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "archive.sqlite3"
    make(path)
    with pytest.raises(ArchiveError, match=sentence):
        Archive(f"sqlite:///{path.as_posix()}")


@pytest.mark.parametrize(
    "url", ["nonsense", "mysterydb://localhost/games", "postgresql+psycopg://user@127.0.0.1:1/none"]
)
def test_an_address_that_leads_nowhere_gets_a_sentence(url: str) -> None:
    with pytest.raises(ArchiveError) as caught:
        Archive(url)
    assert "\n" not in str(caught.value)


def test_an_archive_of_a_newer_program_is_left_alone(url: str, tmp_path: Path) -> None:
    Archive(url).close()
    with sqlite3.connect(tmp_path / "archive.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(ArchiveError, match="newer Courtside"):
        Archive(url)


def test_a_locked_archive_says_so_and_goes_on_when_it_is_free(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.archive.database._LOCK_SECONDS", 0.1)
    archive = Archive(url)
    game = archive.create_game("krone", HEADER)
    holder = sqlite3.connect(tmp_path / "archive.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(ArchiveError, match="locked"):
        archive.commit(game, 1, {"n": 1})
    holder.execute("ROLLBACK")
    archive.commit(game, 1, {"n": 1})
    assert bodies(archive, game) == [{"n": 1}]


def test_the_migrations_build_the_schema(url: str) -> None:
    from companion.archive.schema import metadata

    Archive(url).close()
    found = sa.inspect(sa.create_engine(url))
    for table in metadata.sorted_tables:
        assert {column["name"] for column in found.get_columns(table.name)} == set(table.columns.keys())
