"""Beginning, resuming and importing games at the application's table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.archive.database import ArchiveError
from companion.camera.demo import DemoHand, bundled_demo
from companion.camera.worker import Watcher
from companion.game.archived import game_repository
from companion.game.referee import referee_for
from companion.game.table import Table
from companion.web.app_state import AppState
from engine.record import Record
from engine.record_header import new_record


def begin_game(app_state: AppState, game: str, players: Sequence[str], ruleset: str | None = None, **tags: str) -> None:
    """A new game at the table. Raises Unreadable for names or a ruleset that make no game, ArchiveError."""
    record = new_record(game, players, ruleset, date=app_state.today(), **tags)
    if app_state.archive is None:
        _sit_unkept(app_state, record)
    else:
        game_id, table = game_repository.begin(app_state.archive, record, referee_for(record), app_state.small_picture)
        app_state.sit(table, game_id)


def _sit_unkept(app_state: AppState, record: Record) -> None:
    """A new game that no archive keeps."""
    app_state.sit(Table(record, referee_for(record)), None)


def resume_game(app_state: AppState, game_id: str) -> None:
    """Go on with a game of the archive as it was left. Raises ArchiveError when it cannot be had."""
    if app_state.archive is None:
        raise ArchiveError("games are not saved on this computer, so none can be resumed")
    table = game_repository.resume(app_state.archive, game_id, referee_for, app_state.small_picture)
    app_state.sit(table, game_id)


def _demo_film(app_state: AppState) -> str:
    """Path of the bundled film; its people sit down at the application's table, unless a game was begun for others.

    Their game is not kept: whoever looks at the demo ten times does not want it in the history ten times."""
    try:
        demo = bundled_demo()
    except FileNotFoundError:
        return "datasets/demo/demo.mp4"  # the camera will say that it is missing; the page still opens
    if app_state.sitting is None:
        _sit_unkept(app_state, new_record("krone", demo.players, date=app_state.today()))
    if app_state.sitting is not None:
        app_state.demo = DemoHand(demo, app_state.sitting.table)
    return demo.film


def watch_cards(app_state: AppState, source: str) -> None:
    """Have a camera of their own look at the cards; "" for the one that looks at the dice."""
    if app_state.card_camera is not None:
        app_state.card_camera.close()
        app_state.card_camera = None
    if source:
        app_state.card_camera = Watcher(
            source,
            path=source,
            model=None,
            see=lambda reading: None,
            ended=lambda: None,
            told=lambda number: None,
        )
        app_state.card_camera.start()
    app_state.cards_changed()


def watch_source(app_state: AppState, source: str, model: Path) -> None:
    """Point the camera at a source; `none` for dice entered by hand."""
    if app_state.watcher is not None:
        app_state.watcher.close()
        app_state.watcher = app_state.lying = None
    app_state.demo = None
    if source == "none":
        return
    app_state.watcher = Watcher(
        source,
        path=_demo_film(app_state) if source == "demo" else source,
        model=model,
        see=app_state.see,
        ended=app_state.source_ended,
        told=app_state.picture_or_state,
        restarted=app_state.watched_anew,
        areas=app_state.drawn_areas,
        upside_down=app_state.upside_down,
    )
    app_state.watcher.advised, app_state.watcher.due = app_state.dice_to_set_aside, app_state.dice_due
    app_state.watcher.start()
