"""Beginning, resuming and importing games in a room."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.archive import shelf
from companion.archive.database import ArchiveError
from companion.demo import DemoHand, bundled_demo
from companion.referee import referee_for
from companion.room import Room
from companion.table import Table
from companion.watching import Watcher
from engine.record_header import new_record


def begin_game(room: Room, game: str, players: Sequence[str], ruleset: str | None = None, **tags: str) -> None:
    """A new game at the room's table. Raises Unreadable for names or a ruleset that make no game, ArchiveError."""
    record = new_record(game, players, ruleset, date=room.today(), **tags)
    if room.archive is None:
        room.sit(Table(record, referee_for(record)), None)
    else:
        game_id, table = shelf.begin(room.archive, record, referee_for(record), room.small_picture)
        room.sit(table, game_id)


def resume_game(room: Room, game_id: str) -> None:
    """Go on with a game of the archive as it was left. Raises ArchiveError when it cannot be had."""
    if room.archive is None:
        raise ArchiveError("there is no archive to resume a game from")
    table = shelf.resume(room.archive, game_id, referee_for, room.small_picture)
    room.sit(table, game_id)


def _demo_film(room: Room) -> str:
    """Path of the bundled film; its people sit down at the room's table, unless a game was begun for others."""
    try:
        demo = bundled_demo()
    except FileNotFoundError:
        return "datasets/demo/demo.mp4"  # the camera will say that it is missing; the page still opens
    if room.sitting is None:
        begin_game(room, "krone", demo.players)
    if room.sitting is not None:
        room.demo = DemoHand(demo, room.sitting.table)
    return demo.film


def watch_source(room: Room, source: str, model: Path) -> None:
    """Point the room's camera at a source; `none` for dice entered by hand."""
    if room.watcher is not None:
        room.watcher.close()
        room.watcher = room.lying = None
    if source == "none":
        return
    room.watcher = Watcher(
        source,
        path=_demo_film(room) if source == "demo" else source,
        model=model,
        see=room.see,
        ended=room.source_ended,
        told=room.picture_or_state,
        phone=room.phone if source == "phone" else None,
        layout=room.layout(),
        upside_down=room.upside_down,
    )
    room.watcher.advised, room.watcher.due = room.dice_to_set_aside, room.dice_due
    room.watcher.start()
