"""An archive of many evenings, made in seconds: the same few games repeatedly, each with its own checksums and its own
place, so that each counts in statistics."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from companion.archive.checksum import change_checksum, game_checksum, picture_checksum
from companion.archive.database import open_engine
from companion.archive.schema import changes, games, pictures
from companion.game.changes import Change
from companion.game.table import Table
from engine.record_header import new_record
from engine.record_text import write_record
from tests.kit.random_games import random_turns

GAMES_AN_EVENING = 3
_DIFFERENT = 8
_MOST = 240  # events maximum number of events of a game
_NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fay", "Gil", "Hanna")
_PICTURE = b"\xff\xd8" + b"\x5a" * 6000  # as large as a small image of a table


class _Memory:
    """A journal that keeps the text of each change."""

    def __init__(self) -> None:
        self.bodies: list[str] = []

    def commit(self, change: Change) -> None:
        self.bodies.append(json.dumps(change.body(), ensure_ascii=False, separators=(",", ":")))


def fill(file: Path, evenings: int, events: int | None = None) -> None:
    """Fills an archive file with this many evenings, one week apart; games run to their end or have `events` events."""
    fill_database(f"sqlite:///{file.as_posix()}", evenings, events)


def fill_database(
    url: str, evenings: int, events: int | None = None, tables: Sequence[str] = ("",), seen: bool = True
) -> None:
    """Fills any database with this many evenings.

    Args:
        tables: Tables of a club, which play in turn.
        seen: Store rolls with images.
    """
    played = [_played(seed, events) for seed in range(_DIFFERENT)]
    first = datetime.now(UTC) - timedelta(weeks=evenings)
    engine = open_engine(url)
    with engine.begin() as connection:
        for number in range(evenings * GAMES_AN_EVENING):
            header, bodies = played[number % len(played)]
            header += f'[Table "{number + 1}"]\n'
            begun = first + timedelta(weeks=number // GAMES_AN_EVENING, hours=number % GAMES_AN_EVENING)
            table = tables[number % len(tables)]
            _insert(connection, f"g{number:05}", header, bodies, begun, number + 1, table, seen)
    engine.dispose()


def _insert(
    connection: sa.Connection,
    game_id: str,
    header: str,
    bodies: Sequence[str],
    begun: datetime,
    serial: int,
    table: str,
    pictured: bool,
) -> None:
    """Inserts one game, as `Archive.begin` and `Archive.commit` would have written it at that time."""
    row = {"id": game_id, "game": "krone", "header": header, "begun": begun, "club_table": table}
    last = begun + timedelta(seconds=10 * len(bodies))
    checksum = game_checksum(game_id, "krone", header, begun)
    connection.execute(
        sa.insert(games).values(**row, checksum=checksum, changes=len(bodies), touched=last, serial=serial)
    )
    changed, seen = [], []
    for number, body in enumerate(bodies, 1):
        at, key = begun + timedelta(seconds=10 * number), {"game_id": game_id, "number": number}
        changed.append({**key, "at": at, "body": body, "checksum": change_checksum(game_id, number, at, body)})
        if pictured and " roll " in body:
            seen.append({**key, "jpeg": _PICTURE, "checksum": picture_checksum(game_id, number, _PICTURE)})
    connection.execute(sa.insert(changes), changed)
    if seen:
        connection.execute(sa.insert(pictures), seen)


def _played(number: int, events: int | None) -> tuple[str, list[str]]:
    """A game's header, and the bodies of its changes."""
    names = random.Random(number).sample(_NAMES, 2)
    record, journal = new_record("krone", names), _Memory()
    table = Table(record, None, journal)
    for line in _lines(number)[:events]:
        table.enter(line)
    return write_record(record), journal.bodies


def _lines(number: int) -> list[str]:
    """The lines of a finished game of usual length."""
    seed = 1000 * number
    while True:
        seed += 1
        lines = [line for _, turn in random_turns(seed, 2, most=_MOST // 4) for line in turn]
        if _MOST // 2 < len(lines) < _MOST and lines[-1].endswith("pass"):
            return lines
