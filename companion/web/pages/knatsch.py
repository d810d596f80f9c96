"""What a game of Knatsch has taught about its cards, as a deck file to keep."""

from __future__ import annotations

from flask import Blueprint, abort, make_response
from werkzeug.wrappers import Response

from companion.game.decks import deck_text
from companion.web.app_state import app_state

blueprint = Blueprint("knatsch", __name__)


@blueprint.get("/deck.toml")
def deck() -> Response:
    """The deck with every combination told in this game; the next game can be begun with it."""
    game = app_state().session.running
    if game is None or "Deck" not in game.table.record.game.TAGS:
        abort(404)
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": 'attachment; filename="knatsch.toml"',
    }
    return make_response(deck_text(game.table.preview_state.learned()), headers)
