"""A view without frames and buttons, for a television or laid over a stream."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.pages.showing import board_response, shown_board
from companion.room import room

blueprint = Blueprint("overlay", __name__)


@blueprint.get("/overlay")
def page() -> str | AnyResponse:
    """The whole view; `?transparent` leaves the background to the streaming software."""
    here = room()
    if here.sitting is None:
        return render_template("waiting.html")
    filled = shown_board(here) | {"may_play": False}
    return render_template("overlay.html", **filled, transparent="transparent" in request.args)


@blueprint.get("/overlay/board")
def board() -> Response:
    """The changing part alone."""
    return board_response(
        room(), template="overlay_board.html", fill=lambda: shown_board(room()) | {"may_play": False}, key="overlay"
    )
