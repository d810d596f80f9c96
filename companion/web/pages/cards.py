"""All cards of both games in the visitor's language, searchable."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.web.app_state import app_state
from companion.web.pairing import Right
from companion.web.security import needs
from companion.web.view_models.games import view_of
from engine.games import GAME_IDS

blueprint = Blueprint("cards", __name__)


@blueprint.get("/cards")
@needs(Right.NONE)
def page() -> str:
    """The catalogue of one game, the one being played unless `game` says otherwise; `search` narrows it down."""
    search = request.args.get("search", "").strip()[:80]
    position = app_state().session.position()
    playing = GAME_IDS[0] if position is None else position.GAME
    game = request.args.get("game", "")
    if game not in GAME_IDS:
        game = playing
    view = view_of(game)
    shown = view.catalogue(search, position if game == playing else None)
    return render_template(view.catalogue_template, search=search, game=game, games=GAME_IDS, **shown)
