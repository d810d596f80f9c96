"""A view without frames and buttons, for a television or laid over a stream."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.pages.showing import board_response, shown_board
from companion.room import room
from engine.krone.state import State

blueprint = Blueprint("overlay", __name__)


@blueprint.get("/overlay")
def page() -> str | AnyResponse:
    """The whole view; `?transparent` leaves the background to the streaming software."""
    here = room()
    if not isinstance(here.position(), State):
        return render_template("waiting.html")
    filled = shown_board(here) | {"may_play": False}
    return render_template("overlay.html", **filled, transparent="transparent" in request.args)


@blueprint.get("/overlay/board")
def board() -> Response:
    """The changing part alone."""
    if not isinstance(room().position(), State):
        abort(404)
    return board_response(
        room(), template="overlay_board.html", fill=lambda: shown_board(room()) | {"may_play": False}, key="overlay"
    )
