"""Download of a deck file with the cards learned in a game."""

from __future__ import annotations

from flask import Blueprint, abort, make_response
from werkzeug.wrappers import Response

from companion.plugins import plugin
from companion.web.app_state import app_state

blueprint = Blueprint("deck", __name__)


@blueprint.get("/deck.toml")
def deck() -> Response:
    """The deck with every combination entered in this game; the next game can start with it."""
    running = app_state().session.running
    game_id = "" if running is None else running.table.record.game.ID
    text = plugin(game_id).deck_text if game_id else None
    if running is None or text is None:
        abort(404)
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{game_id}.toml"',
    }
    return make_response(text(running.table.preview_state), headers)
