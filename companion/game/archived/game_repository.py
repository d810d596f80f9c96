"""Games of the archive as tables: start, resume, list, import, export."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Any

from companion.archive import facts
from companion.archive.database import ArchiveError, Damaged
from companion.archive.facts import Facts, identity
from companion.archive.listing import ArchivedGame
from companion.archive.store import Archive, StoredRows
from companion.archive.summary import Summary
from companion.game.changes import Change
from companion.game.log import GameLog
from companion.game.referee import Referee
from companion.game.table import Table
from engine.errors import CourtsideError
from engine.record import Record
from engine.record_text import read_record, write_record
from engine.replay import Replay, read_game

EXPORT_FORMATS = ("record", "json", "csv")
_UNREADABLE = (CourtsideError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
_NO_FACTS = Facts("", (), 0, (), 1, "", "")
Picture = Callable[[], bytes | None]


class GameJournal:
    """Stores the changes of one game; the journal of its `Table`."""

    def __init__(self, archive: Archive, game_id: str, picture: Picture = lambda: None) -> None:
        self._archive = archive
        self._game_id = game_id
        self._picture = picture

    def commit(self, change: Change) -> None:
        """Durable when this returns. A roll seen by the camera is stored with its image, to settle disputes."""
        rolled = change.by == "camera" and any(line.move.startswith("roll") for line in change.now)
        jpeg = self._picture() if rolled else None
        self._archive.commit(self._game_id, change.number, change.body(), jpeg)


def begin(
    archive: Archive, record: Record, referee: Referee | None = None, picture: Picture = lambda: None
) -> tuple[str, Table]:
    """Creates a game that starts with `record` (a header, or a game so far); returns its id and its table."""
    game_id = archive.create_game(record.game.ID, write_record(record))
    return game_id, Table(record, referee, GameJournal(archive, game_id, picture))


def resume(
    archive: Archive,
    game_id: str,
    referee: Callable[[Record], Referee | None] = lambda record: None,
    picture: Picture = lambda: None,
) -> Table:
    """The table of a stored game.

    Raises:
        ArchiveError: There is no such game, or it cannot be read.
    """
    game_log = _game_log(archive, game_id)
    record = read_record(archive.row(game_id).header)
    return Table(record, referee(record), GameJournal(archive, game_id, picture), game_log.changes)


def newest_unfinished(archive: Archive) -> str | None:
    """Id of the unfinished game played last; None if all are finished.

    Raises:
        Damaged: A candidate cannot be read, so that another one is not resumed by mistake.
    """
    stored = facts.load(archive)
    for row in archive.games():
        stored_facts = stored.get((row.id, row.changes))
        if not (stored_facts and stored_facts.facts.winners) and not Facts.of(load_replay(archive, row.id)).winners:
            return row.id
    return None


def summaries(archive: Archive) -> list[Summary]:
    """All games, damaged ones included, the one played last first; every row is checked."""
    rows = archive.games()
    stored = facts.load(archive) if rows else {}
    stored_facts = [stored.get((row.id, row.changes)) for row in rows]
    return [
        summary(archive, row, one.facts if one is not None and one.current else None)
        for row, one in zip(rows, stored_facts, strict=True)
    ]


def unread_summary(row: ArchivedGame) -> Summary:
    """The summary from the list of games alone, before the game is read."""
    try:
        record = read_record(row.header)
    except _UNREADABLE:
        return Summary(row, _NO_FACTS, pending=True)
    return Summary(row, replace(_NO_FACTS, ruleset=record.ruleset, players=record.players), pending=True)


def summary(archive: Archive, row: ArchivedGame, known: Facts | None = None) -> Summary:
    """The summary of a game with every row checked.

    Args:
        known: Facts from an earlier replay of the same length.
    """
    rows = archive.load(row.id)
    if known is not None and rows.damage is None:
        return Summary(row, known)
    try:
        found = _replay_changes(rows)
    except Damaged as damaged:
        return Summary(row, _NO_FACTS, damaged.reason)
    return Summary(row, Facts.of(found.replay), found.damage.reason if found.damage else "")


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as far as it can be read. `damage`: why it cannot be read to its end; None if it is intact."""

    game_log: GameLog
    damage: Damaged | None

    @property
    def replay(self) -> Replay:
        """The game with every state."""
        return self.game_log.timeline.replay


def load(archive: Archive, game_id: str) -> StoredGame:
    """The readable part of a game.

    Raises:
        Damaged: Nothing can be read.
    """
    return _replay_changes(archive.load(game_id))


def load_replay(archive: Archive, game_id: str) -> Replay:
    """The stored game with every state.

    Raises:
        Damaged: It is not intact.
    """
    return _game_log(archive, game_id).timeline.replay


def roll_images(archive: Archive, game_log: GameLog, game_id: str) -> dict[int, int]:
    """Events with an image of their dice: index in the record (1, 2, …) → number of the change with the image."""
    with_picture = archive.changes_with_picture(game_id)
    image_changes = {
        line.number: change.number
        for change in game_log.changes
        if change.number in with_picture
        for line in change.now
    }
    return {
        place: image_changes[line.number]
        for place, line in enumerate(game_log.lines, 1)
        if line.number in image_changes and line.move.startswith("roll")
    }


class AlreadyArchived(ArchiveError):
    """The same game is in the archive as `game_id`."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"this game is in the archive already, as {game_id}")
        self.game_id = game_id


def import_record(archive: Archive, text: str, again: bool = False) -> str:
    """Imports a game from its record's text, dated as the record says; returns its id.

    Raises:
        Unreadable: It is not a legal game; with the line.
        AlreadyKept: It is in the archive, unless `again`.
    """
    replay = read_game(text)
    game_identity = (
        None if again else identity(GameLog(replay.record).timeline.replay)
    )  # as the archive will compute it
    stored = facts.load(archive) if game_identity else {}
    for row in archive.games() if game_identity else ():
        stored_facts = stored.get((row.id, row.changes))
        if stored_facts is None or stored_facts.facts.identity == game_identity:
            game = summary(archive, row)
            if game.facts.identity == game_identity and not game.damage:
                raise AlreadyArchived(game.id)
    return archive.create_game(
        replay.game.ID, write_record(replay.record), _day_played(replay.record), played_here=False
    )


def _day_played(record: Record) -> datetime | None:
    """Noon (UTC) of the record's date, which is that day nearly everywhere; None without a date."""
    try:
        return datetime.combine(date.fromisoformat(record.value("Date") or ""), time(12), UTC)
    except ValueError:
        return None


def copy_readable_part(archive: Archive, game_id: str) -> str:
    """Copies the readable part of a damaged game to a new one that can continue; returns its id.

    Raises:
        Damaged: Nothing can be read.
    """
    found = load(archive, game_id).replay
    # It continues here as the newest game.
    return archive.create_game(found.game.ID, found.text(), archive.row(game_id).begun)


def export(archive: Archive, game_id: str, format: str) -> str:
    """The game as text: `record`; `json` with every change; `csv` with one line per event. Of a damaged game, the
    readable part."""
    game_log = load(archive, game_id).game_log
    replay = game_log.timeline.replay
    if format == "record":
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
    if format == "csv":
        return _csv(events)
    body = {
        "id": game_id,
        "game": replay.game.ID,
        "ruleset": replay.record.ruleset,
        "players": list(replay.record.players),
        "result": ", ".join(replay.result),
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
    """A cell that spreadsheets do not run as a formula, which they would do with a name that starts like one."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _game_log(archive: Archive, game_id: str) -> GameLog:
    found = load(archive, game_id)
    if found.damage is not None:
        raise found.damage
    return found.game_log


def _replay_changes(rows: StoredRows) -> StoredGame:
    """The changes of a game applied in order, up to the first invalid one."""
    game_id, done = rows.row.id, 0
    try:
        game_log = GameLog(read_record(rows.row.header))
    except _UNREADABLE as error:
        raise rows.damage or Damaged(game_id, 0, str(error)) from error
    try:
        for body in rows.bodies:
            game_log.apply(Change.read(body))
            done += 1
    except _UNREADABLE as error:
        return StoredGame(game_log, Damaged(game_id, done, str(error)))
    return StoredGame(game_log, rows.damage)
