"""`courtside games` and its archive: recorded games are returned unchanged in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.cli import courtside
from companion.game.archived import game_repository
from engine.record_header import new_record

GAME = ["A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3", "A buy farmer", "B roll 6 5 4", "B keep 6 5 4"]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}"


@pytest.fixture
def archive(url: str) -> Archive:
    return Archive(url)


def played(archive: Archive, players: tuple[str, ...] = ("Anna", "Bert")) -> str:
    game_id, table = game_repository.begin(archive, new_record("krone", players))
    for event in GAME:
        table.enter(event)
    return game_id


def games(url: str, *arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(courtside, ["games", "--archive", url, *arguments], input=answer)


def test_a_resumed_game_has_the_same_state_corrections_and_undo_history(archive: Archive) -> None:
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    for event in GAME:
        table.enter(event)
    table.replace(table.lines[5].number, "B roll 6 6 4")
    table.undo()
    again = game_repository.resume(archive, game_id)
    assert again.replay.text() == table.replay.text()
    assert (again.lines, again.to_redo) == (table.lines, table.to_redo)
    again.redo()
    assert "roll 6 6 4" in game_repository.export(archive, game_id, "record")


def test_a_change_that_the_archive_refuses_is_not_shown(archive: Archive) -> None:
    from companion.game.changes import NotSaved

    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    other = game_repository.resume(archive, game_id)
    table.enter(GAME[0])
    version = other.version
    with pytest.raises(NotSaved, match="another program is recording"):
        other.enter("A roll 1 1 1")
    assert (other.lines, other.version) == ((), version)


def test_the_newest_unfinished_game_is_the_one_resumed(archive: Archive) -> None:
    assert game_repository.newest_unfinished(archive) is None
    first, second = played(archive), played(archive)
    game_repository.resume(archive, first).enter("B buy laborer")
    assert game_repository.newest_unfinished(archive) == first
    assert {game.id for game in game_repository.summaries(archive)} == {first, second}


def test_an_exported_record_is_imported_as_the_same_game(archive: Archive, url: str, tmp_path: Path) -> None:
    game_id = played(archive)
    file = tmp_path / "game.txt"
    assert games(url, "export", game_id, "--out", str(file)).exit_code == 0
    result = games(url, "import", "--again", str(file))
    assert result.exit_code == 0, result.output
    copy = result.stdout.split()[0]
    assert game_repository.export(archive, copy, "record") == file.read_text(encoding="utf-8")
    game_repository.resume(archive, copy).enter("B buy laborer")


def test_json_holds_every_change_and_csv_every_event(archive: Archive, url: str) -> None:
    game_id = played(archive)
    body = json.loads(games(url, "export", game_id, "--format", "json").stdout)
    assert len(body["changes"]) == len(GAME)
    assert body["events"][4] | {"seconds": None} == {
        "seat": "A", "player": "Anna", "event": "buy farmer", "by": "person",
        "confidence": None, "seconds": None, "corrects": None,
    }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(games(url, "export", game_id, "--format", "csv").stdout)))
    assert [f"{row['seat']} {row['event']}" for row in rows] == GAME


def test_a_name_that_looks_like_a_formula_stays_a_name_in_the_table(archive: Archive) -> None:
    game_id = played(archive, ("=2+5", "Bert"))
    assert "'=2+5" in game_repository.export(archive, game_id, "csv")


def test_good_records_are_imported_beside_damaged_ones_and_the_status_is_three(url: str, tmp_path: Path) -> None:
    good, bad, none = tmp_path / "good.txt", tmp_path / "bad.txt", tmp_path / "none.txt"
    good.write_text('[Game "krone"]\n[Players "Anna" "Bert"]\n\nA roll 5 5 2\n', encoding="utf-8")
    bad.write_text('[Game "krone"]\n[Players "Anna" "Bert"]\n\nA roll 5 5 2\nA buy king\n', encoding="utf-8")
    result = games(url, "import", str(bad), str(none), str(good))
    assert result.exit_code == 3
    assert "line 5" in result.stderr
    assert "none.txt" in result.stderr
    assert str(good) in result.stdout
    assert len(games(url, "list", "--json").stdout.splitlines()) == 1


def test_delete_asks_and_an_unknown_game_gets_a_sentence(archive: Archive, url: str) -> None:
    game_id = played(archive)
    assert games(url, "delete", game_id, answer="n\n").exit_code == 1
    assert game_repository.summaries(archive)
    assert games(url, "delete", game_id, "--yes").exit_code == 0
    result = games(url, "show", game_id)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "no game" in result.stderr


def test_a_change_that_is_not_one_is_said_not_raised(archive: Archive) -> None:
    game_id = archive.create_game("krone", '[Game "krone"]\n[Players "Anna" "Bert"]\n')
    archive.commit(game_id, 1, {"kind": "enter"})
    with pytest.raises(ArchiveError, match="cannot be read"):
        game_repository.resume(archive, game_id)


def test_a_record_imported_twice_stays_one_game_and_keeps_its_own_date(
    archive: Archive, url: str, tmp_path: Path
) -> None:
    record = tmp_path / "old.txt"
    record.write_text(
        '[Game "krone"]\n[Date "2019-05-04"]\n[Players "Anna" "Bert"]\n\nA roll 5 5 2\n', encoding="utf-8"
    )
    assert games(url, "import", str(record)).exit_code == 0
    (game,) = archive.games()
    assert (game.begun.date().isoformat(), game.touched.date().isoformat()) == ("2019-05-04", "2019-05-04")
    newer = played(archive)
    assert [one.id for one in archive.games()] == [newer, game.id]
    refused = games(url, "import", str(record))
    assert (refused.exit_code, f"already, as {game.id}" in refused.stderr) == (2, True)
    assert len(archive.games()) == 2
    assert games(url, "import", "--again", str(record)).exit_code == 0
    assert len(archive.games()) == 3
