"""A player's phone: their cards, odds and everything they enter on their turn. Read-only for spectators."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.plugins import plugin
from companion.web.app_state import app_state
from companion.web.pages.boards import board_context, board_response, full_page
from companion.web.security import visitor

blueprint = Blueprint("player", __name__)


@blueprint.get("/me/<seat>")
def page(seat: str) -> str | AnyResponse:
    """The page of one seat."""
    session = app_state().session
    if session.running is None:
        return render_template("waiting.html")
    return full_page("player.html", lambda: phone_context(seat), seat, seat=seat, name=dict(session.seats()).get(seat))


@blueprint.get("/me/<seat>/board")
def board(seat: str) -> Response:
    """The changing part of a seat's page."""
    return phone_response(seat)


def phone_response(seat: str, notice: str = "") -> Response:
    """The board of a seat's phone, with a notice for the person who changed something on it."""
    return board_response(app_state(), notice, make_context=lambda: phone_context(seat), key=seat)


def phone_context(seat: str) -> dict[str, Any]:
    """The context of the templates of a player's phone."""
    game = app_state().session.running
    if game is None:
        abort(404)
    context = board_context(app_state())
    me = next((player for player in context["board"].players if player.seat == seat), None)
    if me is None:
        abort(404)
    viewer = visitor()
    own = [(letter, name) for letter, name in app_state().session.seats() if letter in viewer.seats]
    context |= {"me": me, "may_play": viewer.may_enter_for(seat), "own_seats": own if len(own) > 1 else []}
    game_plugin = plugin(game.table.record.game.ID)
    more = game_plugin.view.phone(
        app_state().session.position(), context["board"], me, app_state().advisor.ahead.answer
    )
    return context | {"board_template": game_plugin.template("phone")} | more
