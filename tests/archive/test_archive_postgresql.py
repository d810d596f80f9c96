"""A club's archive: several tables write into one PostgreSQL, and a restart of the server loses nothing."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command

from companion.archive import database, facts
from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import ReplayCache
from companion.game.changes import NotSaved
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from engine.record_header import new_record
from tests.kit.lateness import within
from tests.kit.postgresql_server import PostgresServer

PLAYED = Path(__file__).parents[1] / "golden" / "krone_amigo.txt"
pytestmark = pytest.mark.postgresql


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def archive(server: PostgresServer) -> Iterator[Archive]:
    archive = Archive(server.url, club_table="window")
    yield archive
    archive.close()


def test_a_game_is_kept_and_resumed(archive: Archive, server: PostgresServer) -> None:
    game_id, table = game_repository.begin(archive, new_record("krone", ("Jürgen", "花子")))
    table.enter("A roll 5 5 2")
    table.enter("A keep 5 5")
    other = Archive(server.url)
    assert game_repository.resume(other, game_id).replay.text() == table.replay.text()
    assert next((game.players, game.club_table) for game in game_repository.summaries(other)) == (
        ("Jürgen", "花子"),
        "window",
    )
    other.close()


def test_an_archive_of_the_previous_schema_keeps_its_replay_results(archive: Archive, server: PostgresServer) -> None:
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    table.enter("A roll 5 5 2")
    before = next(game for game in ReplayCache().check(archive, lambda seconds: None) if game.id == game_id)
    with archive.transaction() as connection:
        connection.execute(sa.text("ALTER TABLE facts DROP COLUMN checksum"))
        connection.execute(sa.text("DROP INDEX ix_games_serial"))
        connection.execute(sa.text("DROP TABLE season"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0002'"))
    with closing(Archive(server.url)) as again:
        assert facts.load(again)[game_id, 1] == facts.StoredFacts(before.facts, current=True)


def test_a_row_locked_by_another_program_is_reported_as_locked(archive: Archive, server: PostgresServer) -> None:
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    with closing(Archive(server.url)) as other, other.transaction() as connection:
        connection.execute(sa.text("UPDATE games SET club_table = 'x' WHERE id = :id"), {"id": game_id})
        with within(15), pytest.raises(NotSaved, match="holds the archive locked"):
            table.enter("A roll 5 5 2")
    assert table.enter("A roll 5 5 2")


def test_several_tables_write_at_once(archive: Archive, server: PostgresServer) -> None:
    def play() -> None:
        own = Archive(server.url)
        _, table = game_repository.begin(own, new_record("krone", ("Anna", "Bert")))
        for _ in range(5):
            for event in ("A roll 5 5 2", "A keep 5 5 2"):
                table.enter(event)
            table.undo()
            table.undo()
        own.close()

    before = len(archive.games())
    tables = [threading.Thread(target=play) for _ in range(4)]
    for table in tables:
        table.start()
    for table in tables:
        table.join()
    new = archive.games()
    assert len(new) == before + 4
    assert sorted(game.changes for game in new)[-4:] == [20] * 4


def test_the_clubs_page_shows_tables_and_ratings_in_every_language(
    archive: Archive, server: PostgresServer, tmp_path: Path
) -> None:
    game_repository.import_record(archive, PLAYED.read_text(encoding="utf-8"))
    _, table = game_repository.begin(archive, new_record("krone", ("Jürgen", "花子")))
    table.enter("A roll 5 5 2")
    visitor = create_app(AppState(archive), Pairing(tmp_path), Settings(port=1)).test_client()
    for language, called in (("en", "Club"), ("de", "Verein"), ("nl", "Club"), ("fi", "Kerho"), ("ja", "クラブ")):
        html = visitor.get("/club", headers={"Accept-Language": language}).get_data(as_text=True)
        assert f"<h1>{called}</h1>" in html
        assert "Jürgen, 花子" in html
        assert "window" in html
        rows = re.findall(r'<th scope="row"><a [^>]+>(\w+)</a></th>((?:<td class="number">[^<]+</td>)+)', html)
        assert [name for name, _ in rows] == ["Bert", "Anna", "Cleo"]
        assert [re.findall(r">([\d.]+)", numbers)[:2] for _, numbers in rows] == [["1", "1"], ["1", "0"], ["1", "0"]]
    assert ">Club</a>" in visitor.get("/cards").get_data(as_text=True)
    server.stop()
    try:
        assert 'role="alert"' in visitor.get("/club").get_data(as_text=True)
    finally:
        server.start()


def test_an_archive_of_ones_own_has_no_club(tmp_path: Path) -> None:
    own = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    visitor = create_app(AppState(own), Pairing(tmp_path), Settings(port=1)).test_client()
    assert visitor.get("/club").status_code == 404
    assert ">Club</a>" not in visitor.get("/cards").get_data(as_text=True)
    own.close()


def test_a_recorded_change_is_final(archive: Archive, server: PostgresServer) -> None:
    _game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    table.enter("A roll 5 5 2")
    with sa.create_engine(server.url).begin() as connection, pytest.raises(sa.exc.DBAPIError, match="final"):
        connection.execute(sa.text("UPDATE changes SET body = '{}'"))


def test_a_restart_of_the_server_loses_nothing_that_was_shown(archive: Archive, server: PostgresServer) -> None:
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    table.enter("A roll 5 5 2")
    server.stop()
    try:
        with pytest.raises(NotSaved) as refused:
            table.enter("A keep 5 5")
        assert "\n" not in str(refused.value)
        with pytest.raises(ArchiveError):
            archive.games()
    finally:
        server.start()
    assert len(table.lines) == 1
    table.enter("A keep 5 5")
    assert game_repository.resume(archive, game_id).replay.text() == table.replay.text()


def test_a_hanging_server_costs_no_visitor_more_than_three_seconds(
    archive: Archive, server: PostgresServer, tmp_path: Path
) -> None:
    app_state = AppState(archive)
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    app_state.session.begin(table, game_id)
    table.enter("A roll 5 5 2")
    visitor = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()

    server.hang()
    try:
        for _ in range(2):
            with within(3), pytest.raises(NotSaved, match="does not answer"):
                table.enter("A keep 5 5")
            with within(3):
                assert "does not answer" in visitor.get("/history").get_data(as_text=True)
            with within(1.5):
                assert [visitor.get(page).status_code for page in ("/", "/cards")] == [200, 200]
        with within(3), pytest.raises(ArchiveError, match="does not answer"):
            Archive(server.url)
    finally:
        server.go_on()
    assert len(table.lines) == 1
    time.sleep(3.1)
    table.enter("A keep 5 5")
    assert game_repository.resume(archive, game_id).replay.text() == table.replay.text()
    app_state.close()


def test_a_database_without_an_encoding_keeps_every_name(server: PostgresServer) -> None:
    with sa.create_engine(server.url, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(
            sa.text("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
        )
    archive = Archive(server.url.rpartition("/")[0] + "/ascii")
    game_id, table = game_repository.begin(archive, new_record("krone", ("Jürgen", "花子")))
    table.enter("A roll 5 5 2")
    assert game_repository.resume(archive, game_id).record.players == ("Jürgen", "花子")
    archive.close()


def test_an_older_archive_that_takes_long_to_bring_to_todays_schema_is_opened(server: PostgresServer) -> None:
    """Bug: a migration had the time limit of any other statement, 2 s, so a large archive could not be opened."""
    url = server.new_database()
    engine = sa.create_engine(url)
    config = database._migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.exec_driver_sql(
            "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM pg_sleep(2.5); RETURN NULL; END $$"
        )
        connection.exec_driver_sql(
            "CREATE TRIGGER dawdles BEFORE UPDATE ON games FOR EACH STATEMENT EXECUTE FUNCTION dawdle()"
        )
    engine.dispose()
    archive = Archive(url)
    with archive._engine.connect() as connection, pytest.raises(sa.exc.OperationalError):
        connection.exec_driver_sql("SELECT pg_sleep(2.5)")  # whatever comes after it is hurried again
    archive.close()
