"""Starts and resumes games at the application's table."""

from __future__ import annotations

from collections.abc import Sequence

from companion.archive.database import ArchiveError
from companion.game.archived import game_repository
from companion.game.referee import referee_for
from companion.game.session import today
from companion.game.table import Table
from companion.web.app_state import AppState
from engine.record_header import new_record


def begin_game(app_state: AppState, game: str, players: Sequence[str], ruleset: str | None = None, **tags: str) -> None:
    """Starts a new game at the table.

    Raises:
        Unreadable: Names or ruleset are invalid.
        ArchiveError: It cannot be stored.
    """
    record = new_record(game, players, ruleset, date=today(), **tags)
    archive, picture = app_state.past.archive, app_state.cameras.small_picture
    if archive is None:
        app_state.session.begin(Table(record, referee_for(record)), None)
    else:
        game_id, table = game_repository.begin(archive, record, referee_for(record), picture)
        app_state.session.begin(table, game_id)


def resume_game(app_state: AppState, game_id: str) -> None:
    """Resumes a game of the archive.

    Raises:
        ArchiveError: It cannot be read.
    """
    archive = app_state.past.archive
    if archive is None:
        raise ArchiveError("games are not saved on this computer, so none can be resumed")
    table = game_repository.resume(archive, game_id, referee_for, app_state.cameras.small_picture)
    app_state.session.begin(table, game_id)
