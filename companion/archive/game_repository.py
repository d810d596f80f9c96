"""Games on the shelf: begun, resumed, listed and taken home as files. Between the tables and the archive's rows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.archive.database import Damaged
from companion.archive.store import Archive, ArchivedGame
from companion.game.changes import Change
from companion.game.log import GameLog
from companion.game.table import Table
from companion.referee.verdict import Referee
from engine.errors import CourtsideError
from engine.record import Record
from engine.record_text import read_record, write_record
from engine.replay import Replay, event_count, read_game

FORMATS = ("record", "json", "csv")
Picture = Callable[[], bytes | None]


class GameJournal:
    """Keeps the changes of one game; what `Table` calls its journal."""

    def __init__(self, archive: Archive, game_id: str, picture: Picture = lambda: None) -> None:
        self._archive = archive
        self._game_id = game_id
        self._picture = picture

    def commit(self, change: Change) -> None:
        """Durable when this returns; a throw that the camera saw is kept with its picture, for disputes."""
        thrown = change.by == "camera" and any(line.move.startswith("roll") for line in change.now)
        jpeg = self._picture() if thrown else None
        self._archive.commit(self._game_id, change.number, change.body(), jpeg)


@dataclass(frozen=True, slots=True)
class Summary:
    """A game of the archive as the lists show it. winner: name, None while there is none; begun, touched: UTC."""

    id: str
    game: str
    ruleset: str
    players: tuple[str, ...]
    begun: datetime
    touched: datetime
    events: int
    finished: bool
    winner: str | None
    club_table: str

    def body(self) -> dict[str, Any]:
        """As plain data for JSON."""
        times = {"begun": self.begun.isoformat(), "touched": self.touched.isoformat()}
        return {name: getattr(self, name) for name in self.__slots__} | {"players": list(self.players)} | times


def begin(
    archive: Archive, record: Record, referee: Referee | None = None, picture: Picture = lambda: None
) -> tuple[str, Table]:
    """A new game that starts with `record` (a header, or a game so far); returns its id and its table."""
    game_id = archive.begin(record.game.ID, write_record(record))
    return game_id, Table(record, referee, GameJournal(archive, game_id, picture))


def resume(
    archive: Archive,
    game_id: str,
    referee: Callable[[Record], Referee | None] = lambda record: None,
    picture: Picture = lambda: None,
) -> Table:
    """The table of a game as it was left. Raises ArchiveError when there is no such game or it cannot be read."""
    record, changes = _kept(archive, game_id)
    with _in_a_sentence(game_id):
        return Table(record, referee(record), GameJournal(archive, game_id, picture), changes)


def newest_unfinished(archive: Archive) -> str | None:
    """Id of the game that was played last and has no winner yet."""
    return next((game.id for game in summaries(archive) if not game.finished), None)


def summaries(archive: Archive) -> list[Summary]:
    """All games that can be read, the one played last first."""
    found = []
    for row in archive.games():
        with suppress(Damaged):
            found.append(summary(archive, row))
    return found


def summary(archive: Archive, row: ArchivedGame) -> Summary:
    """A game as lists show it."""
    replay = replayed(archive, row.id)
    record, winner = replay.record, replay.state.winner if replay.broken is None else None
    return Summary(
        row.id, row.game, record.ruleset, record.players, row.begun, row.touched, event_count(replay),
        winner is not None, None if winner is None else record.name(winner), row.club_table,
    )  # fmt: skip


def replayed(archive: Archive, game_id: str) -> Replay:
    """The game as it stands in the archive, with every position on the way."""
    return _game_log(archive, game_id).timeline.replay


def pictured(archive: Archive, game_id: str) -> dict[int, int]:
    """Which events of a game have a picture of the dice they were read from: place in the record (1, 2, …) → number of
    the change the picture was kept with."""
    numbers = archive.pictured(game_id)
    game_log = _game_log(archive, game_id) if numbers else None
    if game_log is None:
        return {}
    kept = {
        line.number: change.number for change in game_log.changes if change.number in numbers for line in change.now
    }
    return {
        place: kept[line.number]
        for place, line in enumerate(game_log.lines, 1)
        if line.number in kept and line.move.startswith("roll")
    }


def import_record(archive: Archive, text: str) -> str:
    """A game from its record's text; returns its id. Raises Unreadable with the line where it is no legal game."""
    game_id, _ = begin(archive, read_game(text).record)
    return game_id


def exported(archive: Archive, game_id: str, form: str) -> str:
    """The game as text: `record`; `json` with every change; `csv`, one line an event."""
    game_log = _game_log(archive, game_id)
    replay = game_log.timeline.replay
    if form == "record":
        return replay.text()
    events: list[dict[str, Any]] = [
        {
            "seat": line.seat,
            "player": replay.record.name(line.seat),
            "event": line.move,
            "by": line.by,
            "confidence": line.confidence,
            "seconds": line.seconds,
            "corrects": line.corrects,
        }
        for line in game_log.lines
    ]
    if form == "csv":
        return _csv(events)
    body = {
        "id": game_id,
        "game": replay.game.ID,
        "ruleset": replay.record.ruleset,
        "players": list(replay.record.players),
        "result": replay.result,
        "events": events,
        "changes": [change.body() for change in game_log.changes],
        "record": replay.text(),
    }
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def _csv(events: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    columns = ["seat", "player", "event", "by", "confidence", "seconds", "corrects"]
    writer.writerow(["number", *columns])
    writer.writerows([i, *(_cell(event[name]) for name in columns)] for i, event in enumerate(events, 1))
    return out.getvalue()


def _cell(value: Any) -> Any:
    """A spreadsheet takes text that begins so for a formula and would run it: a player's name must stay a name."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _game_log(archive: Archive, game_id: str) -> GameLog:
    record, changes = _kept(archive, game_id)
    with _in_a_sentence(game_id):
        game_log = GameLog(record)
        for change in changes:
            game_log.apply(change)
    return game_log


def _kept(archive: Archive, game_id: str) -> tuple[Record, list[Change]]:
    _, header = archive.header(game_id)
    bodies = archive.changes(game_id)
    with _in_a_sentence(game_id):
        return read_record(header), [Change.read(body) for body in bodies]


@contextmanager
def _in_a_sentence(game_id: str) -> Iterator[None]:
    """Whatever is wrong with what somebody else has written into the archive concerns this game only."""
    try:
        yield
    except (CourtsideError, KeyError, TypeError, ValueError) as error:
        raise Damaged(f"game {game_id} of the archive cannot be read: {error}") from error
