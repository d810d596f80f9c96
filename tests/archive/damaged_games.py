"""Archives with games, and damage that a disk or a person may do to their rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from companion.archive.store import Archive
from companion.cli import courtside
from companion.game.archived import game_repository
from engine.record_header import new_record

EVENTS = ("A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3")
Damage = Callable[[Path, str], None]


def played(archive: Archive, *names: str, events: tuple[str, ...] = EVENTS) -> str:
    game_id, table = game_repository.begin(archive, new_record("krone", names or ("Anna", "Bert")))
    for event in events:
        table.enter(event)
    return game_id


def bodies(archive: Archive, game_id: str) -> list[dict[str, Any]]:
    """All changes of a game, as stored; raises Damaged."""
    return list(archive.load(game_id).require_intact().bodies)


def hurt(statement: str) -> Damage:
    """Damage by an SQL statement that bypasses the archive's own checks."""

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


def games(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(courtside, ["games", "--archive", f"sqlite:///{file.as_posix()}", *arguments])
