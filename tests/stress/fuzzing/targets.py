"""Parsers of untrusted data: each takes bytes and raises nothing but its documented error."""

from __future__ import annotations

import importlib
import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from tests.stress.fuzzing.mutated import mutated
from tests.stress.fuzzing.pictures import pictures

ROOT = Path(__file__).resolve().parents[3]
SEEDS = {
    "record": ("tests/golden/krone_*.txt",),
    "knatsch": ("tests/golden/knatsch_example_*.txt",),
    "deck": ("datasets/decks/*.toml",),
}
"""Files of the repository used as initial inputs; `_written` makes those of the other targets."""


def record(data: bytes) -> None:
    """A record: legal, and its canonical text is stable; or refused with its line."""
    from engine.errors import Unreadable
    from engine.replay import read_game

    try:
        replay = read_game(data.decode("utf-8", "replace"))
    except Unreadable as error:
        if error.line is None:
            raise RuntimeError(f"no line: {error}") from error
        return
    assert read_game(replay.text()).text() == replay.text()


def position(data: bytes) -> None:
    """A position in one line: it survives a round trip, or is refused."""
    from engine.errors import CourtsideError
    from engine.krone.position import position_text, read_position

    try:
        state = read_position(data.decode("utf-8", "replace"))
    except CourtsideError:
        return
    assert read_position(position_text(state), state.rules) == state


def deck(data: bytes) -> None:
    """A player's deck file."""
    from companion.games.knatsch.decks import parse_deck
    from engine.errors import Unreadable

    try:
        parse_deck(data.decode("utf-8", "replace"))
    except Unreadable:
        return


def change(data: bytes) -> None:
    """A game in an edited archive: one change of a valid game is modified. It is read or refused."""
    from companion.archive.database import ArchiveError
    from companion.game.archived import game_repository

    archive, database, game_id, good = _good_game()
    number = 1 + data[0] % len(good) if data else 1
    _write_into(database, number, mutated(good[number - 1], data[1:]))
    try:
        try:
            replay = game_repository.load_replay(archive, game_id)
            table = game_repository.resume(archive, game_id)
        except ArchiveError:
            return
        assert table.replay.text() == replay.text()
        game_repository.export(
            archive, game_id, game_repository.EXPORT_FORMATS[len(data) % len(game_repository.EXPORT_FORMATS)]
        )
    finally:
        _write_into(database, number, good[number - 1])


def _write_into(database: sqlite3.Connection, number: int, body: Any) -> None:
    """Changes a row directly in the archive's file, with a valid checksum. Writing a whole game would take longer than
    reading it."""
    from companion.archive.checksum import change_checksum

    text = json.dumps(body)
    game_id, at = database.execute("SELECT game_id, at FROM changes WHERE number = ?", (number,)).fetchone()
    checksum = change_checksum(game_id, number, datetime.fromisoformat(at).replace(tzinfo=UTC), text)
    with database:
        database.execute("UPDATE changes SET body = ?, checksum = ? WHERE number = ?", (text, checksum, number))


@cache
def _good_game() -> Any:
    """An archive with one game: its file, the game's id, and its changes (events, an answered question, corrections, an
    undo)."""
    from companion.archive.store import Archive
    from companion.game.changes import Question, Sentence
    from companion.game.log import GameLog
    from engine.record_header import new_record
    from engine.record_text import write_record

    record = new_record("krone", ("Anna", "Bert"))
    book = GameLog(record)
    for event in ("A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3", "A buy farmer"):
        book.apply(book.change("enter", "camera", len(book.lines), 0, [book.line(event, "camera", 0.9, (12, 0.4))]))
    question = Question(
        Sentence("{a} or {b}?", {"a": "5", "b": "6"}), (6,), (("B roll 6 5 4",), ("B roll 6 5 5",)), 1, 12, 0.4
    )
    book.apply(book.change("enter", "camera", 5, 0, [book.line("B roll 6 5 4", "camera", 0.6)], questions=(question,)))
    old = book.lines[5]
    book.apply(
        book.change("answer", "person", 5, 1, [book.line("B roll 6 5 5", "person", corrects=[old])], settles=(1,))
    )
    book.apply(book.undo_change("person"))
    book.apply(book.redo_change("person"))
    changes = [json.loads(json.dumps(change.body())) for change in book.changes]
    file = Path(tempfile.mkdtemp(prefix="courtside-fuzz-")) / "archive.sqlite3"
    archive = Archive(f"sqlite:///{file.as_posix()}")
    game_id = archive.create_game("krone", write_record(record))
    for number, body in enumerate(changes, 1):
        archive.commit(game_id, number, body)
    database = sqlite3.connect(file)
    database.execute("PRAGMA synchronous = OFF")
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")  # they prevent programs from changing the past
    return archive, database, game_id, changes


def picture(data: bytes) -> None:
    """An image uploaded by a phone: rejected before or by the decoder, or decoded."""
    from companion.camera.phone import PhoneGate, RejectedUpload
    from vision.sources.jpeg import Unusable, decode

    with suppress(RejectedUpload):
        PhoneGate(lambda jpeg: None).accept(data)
    try:
        found = decode(data)
    except Unusable:
        return
    assert found.ndim == 3


def form(data: bytes) -> None:
    """Sends a form to any address of the page, see `page`."""
    from tests.stress.fuzzing.page import send

    send(data)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "record": record,
    "knatsch": record,
    "position": position,
    "deck": deck,
    "change": change,
    "picture": picture,
    "form": form,
}


def seeds(name: str) -> list[bytes]:
    """The initial inputs: valid ones."""
    found = [file.read_bytes() for pattern in SEEDS.get(name, ()) for file in sorted(ROOT.glob(pattern))]
    return [*found, *(pictures() if name == "picture" else ()), *(text.encode() for text in _written(name))]


def _written(name: str) -> list[str]:
    from engine.krone.position import position_text
    from engine.replay import read_game

    replay = read_game((ROOT / "tests/golden/krone_amigo.txt").read_text(encoding="utf-8"))
    if name == "position":
        return [position_text(state) for state in replay.states[:: len(replay.states) // 8]]
    if name == "change":
        return [f"{chr(n)}{chr(where)}{chr(what)}" for n in range(9) for where, what in _BENDS]
    if name == "form":
        from tests.stress.fuzzing.page import good_forms

        return good_forms()
    return []


_BENDS = ((0, 24), (1, 2), (3, 26), (5, 19), (8, 31), (12, 9), (17, 14), (23, 10))


def load() -> None:
    """Imports all modules whose coverage is measured."""
    for watched in (
        "companion.games.knatsch.decks",
        "engine.knatsch.game",
        "engine.krone.game",
        "engine.replay",
        "vision.sources.jpeg",
        "companion.camera.phone",
        "companion.game.archived.game_repository",
        "companion.web.app",
    ):
        importlib.import_module(watched)
