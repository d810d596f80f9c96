"""A damaged row costs no other game anything, is said, and comes back from the copy of an evening."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from companion.archive import game_repository
from companion.archive.copies import MOST_COPIES, copies, keep_copy, restore_file, restore_games
from companion.archive.database import ArchiveError, DamagedFile
from companion.archive.store import Archive
from companion.cli import courtside
from companion.cli_errors import CliError
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from engine.record_header import new_record
from scripts.simulation.served_app import enter, served_app

EVENTS = ("A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3")
Damage = Callable[[Path, str], None]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "archive.sqlite3"


@pytest.fixture
def archive(file: Path) -> Iterator[Archive]:
    archive = Archive(f"sqlite:///{file.as_posix()}")
    yield archive
    archive.close()


def played(archive: Archive, *names: str, events: tuple[str, ...] = EVENTS) -> str:
    game_id, table = game_repository.begin(archive, new_record("krone", names or ("Anna", "Bert")))
    for event in events:
        table.enter(event)
    return game_id


def hurt(statement: str) -> Damage:
    """A statement of SQL that a person or a disk has carried out, past the archive's own promises."""

    def damage(file: Path, game: str) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("DROP TRIGGER IF EXISTS changes_are_final")
            assert connection.execute(statement, {"game": game}).rowcount == 1

    return damage


# How many events stand before the damage.
DAMAGES: dict[str, tuple[Damage, int]] = {
    "half a change": (hurt("UPDATE changes SET body = '{' WHERE game_id = :game AND number = 2"), 1),
    "another die": (hurt("UPDATE changes SET body = replace(body, '5', '6') WHERE game_id = :game AND number = 2"), 1),
    "a list for a change": (hurt("UPDATE changes SET body = '[]' WHERE game_id = :game AND number = 2"), 1),
    "brackets without end": (
        hurt("UPDATE changes SET body = replace(hex(zeroblob(5000)), '0', '[') WHERE game_id = :game AND number = 2"),
        1,
    ),
    "bytes that are no text": (
        hurt("UPDATE changes SET body = CAST(x'7bff7d' AS TEXT) WHERE game_id = :game AND number = 2"), 1,
    ),
    "a number for a change": (hurt("UPDATE changes SET body = 7 WHERE game_id = :game AND number = 2"), 1),
    "no time": (hurt("UPDATE changes SET at = 'yesterday' WHERE game_id = :game AND number = 2"), 1),
    "a row lost in the middle": (hurt("DELETE FROM changes WHERE game_id = :game AND number = 2"), 1),
    "a row lost at the end": (hurt("DELETE FROM changes WHERE game_id = :game AND number = 4"), 3),
    "no beginning": (hurt("UPDATE games SET begun = 'never' WHERE id = :game"), 4),
    "another name": (hurt("UPDATE games SET header = replace(header, 'Anna', 'Dora') WHERE id = :game"), 4),
    "no header": (hurt("UPDATE games SET header = '' WHERE id = :game"), 0),
    "a blob for a header": (hurt("UPDATE games SET header = x'ff00' WHERE id = :game"), 0),
    "no length": (hurt("UPDATE games SET changes = 'many' WHERE id = :game"), 4),
}  # fmt: skip


@pytest.fixture(params=DAMAGES, ids=lambda name: name.replace(" ", "-"))
def damage(request: pytest.FixtureRequest) -> tuple[Damage, int]:
    return DAMAGES[request.param]


def visitor(archive: Archive, folder: Path) -> FlaskClient:
    return create_app(AppState(archive), Pairing(folder), Settings(port=1)).test_client()


def text(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.get_data(as_text=True)


def games(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(courtside, ["games", "--archive", f"sqlite:///{file.as_posix()}", *arguments])


def test_a_damaged_row_hides_no_game_on_history_and_new_game(
    archive: Archive, file: Path, tmp_path: Path, damage: tuple[Damage, int]
) -> None:
    good, bad = played(archive, "Emil", "Fay"), played(archive)
    damage[0](file, bad)
    client = visitor(archive, tmp_path)
    for address in ("/history", "/new"):
        page = text(client, address)
        assert "Emil, Fay" in page
        assert f"/history/{bad}" in page
        assert page.count("⚠ damaged") == 1
    assert "damaged" not in text(client, f"/history/{good}")
    page = text(client, f"/history/{bad}")
    assert ("nothing of it can be read" if not damage[1] else "as far as it can be read") in page
    assert client.post(f"/resume/{bad}", data=token(client, "/new")).status_code == 400


def token(client: FlaskClient, address: str) -> dict[str, str]:
    found = re.search(r'name="csrf" value="([^"]+)"', text(client, address))
    assert found
    return {"csrf": found[1]}


def test_a_damaged_row_hides_no_game_from_games_list(archive: Archive, file: Path, damage: tuple[Damage, int]) -> None:
    good, bad = played(archive, "Emil", "Fay"), played(archive)
    damage[0](file, bad)
    listed = games(file, "list")
    assert listed.exit_code == 0
    assert listed.exception is None
    lines = {line[:6]: line for line in listed.stdout.splitlines()}
    assert "4 events, not finished" in lines[good]
    assert f"{damage[1]} events can be read" in lines[bad]
    for command in ("show", "export"):
        refused = games(file, command, bad)
        assert refused.exit_code in (2, 3)
        assert f"game {bad} of the archive cannot be read" in refused.stderr
        assert refused.stderr.count("\n") == 1


def test_the_part_before_the_damage_can_be_exported(archive: Archive, file: Path) -> None:
    bad = played(archive)
    DAMAGES["half a change"][0](file, bad)
    exported = games(file, "export", bad)
    assert exported.exit_code == 3
    assert exported.stdout.endswith("\nA roll 5 5 2 {person}\n")


def test_resume_says_of_a_damaged_game_that_it_is_damaged(archive: Archive, file: Path, tmp_path: Path) -> None:
    older, bad = played(archive, "Emil", "Fay"), played(archive)
    DAMAGES["half a change"][0](file, bad)
    for resume in ("", bad):
        said = f"game {bad} .*change 2 of 4 is damaged.*games restore {bad}"
        with pytest.raises(CliError, match=said), served_app(tmp_path, players=(), resume=resume):
            pass
    with served_app(tmp_path, players=(), resume=older) as running_app:
        assert running_app.app_state.sitting is not None


def test_a_game_gone_in_the_damaged_file_is_not_passed_over_for_an_older_one(archive: Archive, file: Path) -> None:
    played(archive, "Emil", "Fay")
    finished = played(archive)
    assert game_repository.newest_unfinished(archive) == finished
    DAMAGES["no header"][0](file, finished)
    with pytest.raises(ArchiveError, match="cannot be read"):
        game_repository.newest_unfinished(archive)


def test_a_damaged_picture_is_none(archive: Archive, file: Path) -> None:
    game_id = archive.begin("krone", '[Game "krone"]\n[Players "Anna" "Bert"]\n')
    archive.commit(game_id, 1, {}, b"\xff\xd8 picture \xff\xd9")
    assert archive.picture(game_id, 1) is not None
    hurt("UPDATE pictures SET jpeg = x'ffd8' WHERE game_id = :game")(file, game_id)
    assert archive.picture(game_id, 1) is None


def test_a_damaged_game_comes_back_from_the_copy_by_one_command(
    archive: Archive, file: Path, damage: tuple[Damage, int]
) -> None:
    good, bad = played(archive, "Emil", "Fay"), played(archive)
    before = [game_repository.exported(archive, game, "json") for game in (good, bad)]
    assert keep_copy(archive) is not None
    damage[0](file, bad)
    restored = games(file, "restore")
    assert (restored.exit_code, bad in restored.stdout, good in restored.stdout) == (0, True, False)
    assert [game_repository.exported(archive, game, "json") for game in (good, bad)] == before
    assert not any(game.damage for game in game_repository.summaries(archive))
    assert game_repository.resume(archive, bad).enter("A buy farmer")
    assert games(file, "restore").stdout == "nothing to restore\n"


def test_a_damaged_game_comes_back_from_the_copy_from_the_page(archive: Archive, file: Path, tmp_path: Path) -> None:
    bad = played(archive)
    before = game_repository.exported(archive, bad, "json")
    client = visitor(archive, tmp_path)
    keep_copy(archive)
    DAMAGES["half a change"][0](file, bad)
    page = text(client, f"/history/{bad}")
    assert "Restore it from the copy of" in page
    done = client.post(f"/history/{bad}/restore", data=token(client, f"/history/{bad}"))
    assert done.headers["Location"] == f"/history/{bad}"
    assert "damaged" not in text(client, "/history")
    assert game_repository.exported(archive, bad, "json") == before


def test_what_can_be_read_of_a_damaged_game_goes_on_as_one_of_its_own(
    archive: Archive, file: Path, tmp_path: Path
) -> None:
    bad = played(archive)
    DAMAGES["a row lost at the end"][0](file, bad)
    client = visitor(archive, tmp_path)
    assert "No copy has this game whole." in text(client, f"/history/{bad}")
    done = client.post(f"/history/{bad}/save", data=token(client, f"/history/{bad}"))
    new = done.headers["Location"].removeprefix("/history/")
    assert game_repository.resume(archive, new).enter("A keep 3")
    assert game_repository.newest_unfinished(archive) == new
    assert archive.row(new).begun == archive.row(bad).begun


def test_a_deleted_game_comes_back_when_it_is_asked_for_and_only_then(archive: Archive, file: Path) -> None:
    gone, other = played(archive), played(archive, "Emil", "Fay")
    copy = keep_copy(archive)
    assert copy is not None
    archive.delete(gone)
    assert restore_games(archive) == []
    assert games(file, "restore", gone).exit_code == 0
    archive.delete(gone)
    archive.delete(other)
    assert games(file, "restore", "--copy", copy.name).exit_code == 0
    assert {game.id for game in archive.games()} == {gone, other}
    refused = games(file, "restore", "--copy", "1999-12-31")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)


def test_a_game_that_went_on_since_the_copy_stays_as_it_is(archive: Archive) -> None:
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    table.enter(EVENTS[0])
    copy = keep_copy(archive)
    table.enter(EVENTS[1])
    assert restore_games(archive, copy=copy) == []
    assert len(archive.changes(game_id)) == 2


def test_every_evening_is_copied_and_the_oldest_go(
    archive: Archive, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, MOST_COPIES + 4):
        at_day(monkeypatch, f"2026-03-{number:02}T20:00:00+00:00")
        game = played(archive)
        assert keep_copy(archive) is not None
        assert keep_copy(archive) is None  # nothing has been played since
    days = [copy.name for copy in copies(file)]
    assert days == [f"2026-03-{number:02}" for number in range(MOST_COPIES + 3, 3, -1)]
    at_day(monkeypatch, "1999-01-01T20:00:00+00:00")  # a clock that has lost its battery
    played(archive)
    keep_copy(archive)
    assert copies(file)[0].name == "1999-01-01"
    DAMAGES["half a change"][0](file, game)
    played(archive)
    keep_copy(archive)
    assert len(copies(file)) == MOST_COPIES + 1  # while a game is damaged, no copy goes that may have it whole


def at_day(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    from datetime import datetime

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.fromisoformat(moment)

    monkeypatch.setattr("companion.archive.store.datetime", Clock)


def test_a_file_that_is_damaged_as_a_whole_is_put_aside_and_its_copy_takes_its_place(
    archive: Archive, file: Path, tmp_path: Path
) -> None:
    game_id = played(archive)
    before = game_repository.exported(archive, game_id, "json")
    keep_copy(archive)
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
    assert game_repository.exported(Archive(f"sqlite:///{file.as_posix()}"), game_id, "json") == before
    (aside,) = tmp_path.glob("archive.sqlite3.damaged-*")
    assert aside.read_bytes().startswith(b"a letter")


def test_pages_torn_out_of_the_file_cost_only_the_games_that_stood_on_them(tmp_path: Path) -> None:
    """Every page of the file in turn: each game is whole, or said to be damaged, or the whole file is; and all come
    back from the copy."""
    file = tmp_path / "archive.sqlite3"
    with closing(Archive(f"sqlite:///{file.as_posix()}")) as archive:
        ids = [played(archive, "Anna", f"Bert {number}", events=EVENTS * 1) for number in range(12)]
        for _ in range(3):
            for game_id in ids:
                table = game_repository.resume(archive, game_id)
                table.undo()
                table.redo()
        before = {game_id: game_repository.exported(archive, game_id, "json") for game_id in ids}
        keep_copy(archive)
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
                        assert game_repository.exported(archive, game.id, "json") == before[game.id], page
                restore_games(archive)
                assert not any(game.damage for game in game_repository.summaries(archive))
        except DamagedFile:
            said += 1
            restore_file(file)
        except ArchiveError:  # what says which schema it is stood there
            restore_file(file)
        with closing(Archive(f"sqlite:///{file.as_posix()}")) as archive:
            assert {
                game.id: game_repository.exported(archive, game.id, "json") for game in archive.games()
            } == before, page
            for part in file.parent.glob("archive.sqlite3*"):
                if part != file:
                    part.unlink()
    assert said


def test_the_archive_is_checked_at_the_start_and_copied_at_the_end(file: Path, tmp_path: Path) -> None:
    with served_app(tmp_path) as running_app:
        enter(running_app, *EVENTS)
        assert running_app.app_state.sitting is not None
        game_id = running_app.app_state.sitting.id or ""
    assert len(copies(file)) == 1
    DAMAGES["half a change"][0](file, game_id)
    said: list[str] = []
    with served_app(tmp_path, said=said) as running_app:
        assert running_app.caretaker is not None
        running_app.caretaker.end_evening()
    assert f"game {game_id} of the archive is damaged" in " ".join(said)
    with closing(Archive(f"sqlite:///{file.as_posix()}")) as archive:
        assert [one.games for one in restore_games(archive)] == [(game_id,)]
        assert len(archive.changes(game_id)) == len(EVENTS)
