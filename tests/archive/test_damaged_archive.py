"""A damaged row affects no other game, is reported, and is restored from an evening's backup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.archive.checksum import picture_checksum
from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.cli_errors import CliError
from companion.game.archived import game_repository
from companion.game.archived.backups import make_backup, restore_games
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from engine.record_header import new_record
from tests.archive.damaged_games import DAMAGES, EVENTS, Damage, bodies, games, hurt, played
from tests.kit.served_app import served_app

pytestmark = pytest.mark.slow


@pytest.fixture(params=DAMAGES, ids=lambda name: name.replace(" ", "-"))
def damage(request: pytest.FixtureRequest) -> tuple[Damage, int]:
    return DAMAGES[request.param]


def visitor(archive: Archive, folder: Path) -> FlaskClient:
    return create_app(AppState(archive), Pairing(folder), Settings(port=1)).test_client()


def text(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.get_data(as_text=True)


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
    assert ("cannot be read" if not damage[1] else "readable beginning") in page
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
    assert "4 entries, not finished" in lines[good]
    assert f"{damage[1]} entries can be read" in lines[bad]
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
        assert running_app.app_state.session.running is not None


def test_a_game_gone_in_the_damaged_file_is_not_passed_over_for_an_older_one(archive: Archive, file: Path) -> None:
    played(archive, "Emil", "Fay")
    finished = played(archive)
    assert game_repository.newest_unfinished(archive) == finished
    DAMAGES["no header"][0](file, finished)
    with pytest.raises(ArchiveError, match="cannot be read"):
        game_repository.newest_unfinished(archive)


def test_a_damaged_image_is_returned_as_none(archive: Archive, file: Path) -> None:
    game_id = archive.create_game("krone", '[Game "krone"]\n[Players "Anna" "Bert"]\n')
    archive.commit(game_id, 1, {}, b"\xff\xd8 picture \xff\xd9")
    assert archive.picture(game_id, 1) is not None
    hurt("UPDATE pictures SET jpeg = x'ffd8' WHERE game_id = :game")(file, game_id)
    assert archive.picture(game_id, 1) is None


def test_a_damaged_game_comes_back_from_the_copy_by_one_command(
    archive: Archive, file: Path, damage: tuple[Damage, int]
) -> None:
    good, bad = played(archive, "Emil", "Fay"), played(archive)
    before = [game_repository.export(archive, game, "json") for game in (good, bad)]
    assert make_backup(archive) is not None
    damage[0](file, bad)
    restored = games(file, "restore")
    assert (restored.exit_code, bad in restored.stdout, good in restored.stdout) == (0, True, False)
    assert [game_repository.export(archive, game, "json") for game in (good, bad)] == before
    assert not any(game.damage for game in game_repository.summaries(archive))
    assert game_repository.resume(archive, bad).enter("A buy farmer")
    assert games(file, "restore").stdout == "nothing to restore\n"


def test_a_damaged_game_comes_back_from_the_copy_from_the_page(archive: Archive, file: Path, tmp_path: Path) -> None:
    bad = played(archive)
    before = game_repository.export(archive, bad, "json")
    client = visitor(archive, tmp_path)
    make_backup(archive)
    DAMAGES["half a change"][0](file, bad)
    page = text(client, f"/history/{bad}")
    assert "Restore the backup of" in page
    done = client.post(f"/history/{bad}/restore", data=token(client, f"/history/{bad}"))
    assert done.headers["Location"] == f"/history/{bad}"
    assert "damaged" not in text(client, "/history")
    assert game_repository.export(archive, bad, "json") == before


def test_the_readable_part_of_a_damaged_game_continues_as_a_new_game(
    archive: Archive, file: Path, tmp_path: Path
) -> None:
    bad = played(archive)
    DAMAGES["a row lost at the end"][0](file, bad)
    client = visitor(archive, tmp_path)
    assert "No backup contains the complete game." in text(client, f"/history/{bad}")
    done = client.post(f"/history/{bad}/save", data=token(client, f"/history/{bad}"))
    new = done.headers["Location"].removeprefix("/history/")
    assert game_repository.resume(archive, new).enter("A keep 3")
    assert game_repository.newest_unfinished(archive) == new
    assert archive.row(new).begun == archive.row(bad).begun


def test_a_deleted_game_comes_back_when_it_is_asked_for_and_only_then(archive: Archive, file: Path) -> None:
    gone, other = played(archive), played(archive, "Emil", "Fay")
    copy = make_backup(archive)
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
    copy = make_backup(archive)
    table.enter(EVENTS[1])
    assert restore_games(archive, backup=copy) == []
    assert len(bodies(archive, game_id)) == 2


def test_a_checksum_depends_on_where_one_part_ends_and_the_next_begins() -> None:
    assert picture_checksum("abc", 12, b"3") != picture_checksum("abc", 1, b"23")
    assert picture_checksum("abc1", 2, b"3") != picture_checksum("abc", 12, b"3")
