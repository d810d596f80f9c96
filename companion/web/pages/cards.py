"""Reference pages: the rules of a game in short and the catalogue of its cards, in the visitor's language."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.game.changes import Line
from companion.game.record_line import RecordLine
from companion.plugins import GamePlugin, plugin, plugins
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
    one = plugin(game)
    assert one.view.catalogue is not None
    shown = one.view.catalogue(search, position if game == playing else None)
    return render_template(one.template("catalogue"), search=search, game=game, games=games, **shown)


@blueprint.get("/rules")
@needs(Right.NONE)
def rules() -> str:
    """The rules in short with an example turn, of `game` or of the current game. Scripts get only this part."""
    position = app_state().session.position()
    known = {one.id: one for one in plugins()}
    playing = next(iter(known)) if position is None else position.GAME
    game = known.get(request.args.get("game", playing), known[playing])
    template = "rules_text.html" if "X-Fragment" in request.headers else "rules.html"
    return render_template(template, game_plugin=game, games=list(known), example=example_turn(game))


def example_turn(game: GamePlugin) -> list[tuple[RecordLine, str]]:
    """The lines of a game's example turn, each with its explanation."""
    example = game.example()
    lines = game.view.lines([Line(number, event, "person") for number, (event, _) in enumerate(example)], {})
    return [(line, why) for line, (_, why) in zip(lines, example, strict=True) if why]
