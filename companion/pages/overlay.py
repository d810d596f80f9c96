"""A view without frames and buttons, for a television or laid over a stream."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.board_knatsch_parts import KnatschBoard
from companion.pages.showing import board_response, shown_board, whole_page
from companion.room import room

blueprint = Blueprint("overlay", __name__)


@blueprint.get("/overlay")
def page() -> str | AnyResponse:
    """The whole view; `?transparent` leaves the background to the streaming software."""
    if room().sitting is None:
        return render_template("waiting.html")
    return whole_page("overlay.html", _shown, "overlay", transparent="transparent" in request.args)


@blueprint.get("/overlay/board")
def board() -> Response:
    """The changing part alone."""
    return board_response(room(), fill=_shown, key="overlay")


def _shown() -> dict[str, Any]:
    filled = shown_board(room()) | {"may_play": False}
    knatsch = isinstance(filled["board"], KnatschBoard)
    return filled | {"board_template": "overlay_knatsch.html" if knatsch else "overlay_board.html"}
