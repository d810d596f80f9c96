"""Archives of every earlier schema are opened, and their games are unchanged.

`golden/archive_NNNN.sql` is the `.dump` of sqlite3 of an archive of schema NNNN, archive_NNNN_ID.txt the record of its
game ID. A new migration brings a new pair; the old ones stay as they are.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from companion.archive import database
from companion.archive.store import Archive
from companion.game.archived import game_repository

GOLDEN = Path(__file__).parents[1] / "golden"
DUMPS = sorted(GOLDEN.glob("archive_*.sql"))


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """(schema, URL) of an older archive."""
    file = tmp_path / "archive.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.executescript(request.param.read_text(encoding="utf-8"))
    return request.param.stem, f"sqlite:///{file.as_posix()}"


def test_every_schema_has_its_golden_archive() -> None:
    config = Config()
    config.set_main_option("script_location", (Path(database.__file__).parent / "migrations").as_posix())
    schemas = {revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()}
    assert {dump.stem.removeprefix("archive_") for dump in DUMPS} == schemas


def test_each_game_of_an_older_archive_is_as_it_was(older: tuple[str, str]) -> None:
    schema, url = older
    archive = Archive(url)
    games = {game.id for game in archive.games()}
    assert games == {text.stem.removeprefix(f"{schema}_") for text in GOLDEN.glob(f"{schema}_*.txt")}
    for game in games:
        kept = (GOLDEN / f"{schema}_{game}.txt").read_text(encoding="utf-8")
        assert game_repository.export(archive, game, "record") == kept
    archive.close()


def test_a_game_of_an_older_archive_continues_and_its_changes_can_be_undone(older: tuple[str, str]) -> None:
    archive = Archive(older[1])
    table = game_repository.resume(archive, "golden")
    before = table.replay.text()
    assert archive.picture("golden", 1) == b"\xff\xd8\xff\xd9"
    table.undo()
    assert table.replay.text() != before
    table.redo()
    assert game_repository.resume(archive, "golden").replay.text() == before
    archive.close()
