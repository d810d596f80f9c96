"""The catalogue of cards of every game, searchable, in the visitor's language."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.plugins import plugin, plugins
from companion.web.app_state import app_state
from companion.web.pairing import Right
from companion.web.security import needs

blueprint = Blueprint("cards", __name__)


@blueprint.get("/cards")
@needs(Right.NONE)
def page() -> str:
    """The catalogue of one game, by default the current one; `search` filters it."""
    search = request.args.get("search", "").strip()[:80]
    position = app_state().session.position()
    games = [one.id for one in plugins() if one.view.catalogue]
    playing = None if position is None else position.GAME
    game = request.args.get("game", playing)
    if game not in games:
        game = playing if playing in games else games[0]
    view = plugin(game).view
    assert view.catalogue is not None
    shown = view.catalogue(search, position if game == playing else None)
    return render_template(view.catalogue_template, search=search, game=game, games=games, **shown)
