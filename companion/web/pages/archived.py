"""Games of the archive as pages look them up: 404 for what does not exist."""

from __future__ import annotations

from flask import abort

from companion.advice.review_queue import Progress
from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.game.archived.replay_cache import PastGame
from companion.plugins import plugin
from companion.web.app_state import app_state
from engine.replay import Replay


def archive() -> Archive:
    """The archive; 404 if games are not kept."""
    found = app_state().past.archive
    if found is None:
        abort(404)
    return found


def past_game(game_id: str) -> PastGame:
    """A game of the archive; 404 if it does not exist or cannot be read."""
    try:
        return app_state().past.replays.game(archive(), game_id)
    except ArchiveError:
        abort(404)


def reviewed(game_id: str) -> tuple[Replay, Progress]:
    """A game of the archive and the progress of its review; 404 if the game offers none."""
    replay = past_game(game_id).replay
    if plugin(replay.game.ID).review is None:
        abort(404)
    return replay, app_state().past.reviews.progress(replay)
