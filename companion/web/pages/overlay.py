"""A view without frames and buttons, for a television or laid over a stream."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.app_state import app_state
from companion.web.pages.showing import board_response, shown_board, whole_page
from companion.web.view_models.games import view_of

blueprint = Blueprint("overlay", __name__)


@blueprint.get("/overlay")
def page() -> str | AnyResponse:
    """The whole view; `?transparent` leaves the background to the streaming software."""
    if app_state().sitting is None:
        return render_template("waiting.html")
    return whole_page("overlay.html", _shown, "overlay", transparent="transparent" in request.args)


@blueprint.get("/overlay/board")
def board() -> Response:
    """The changing part alone."""
    return board_response(app_state(), fill=_shown, key="overlay")


def _shown() -> dict[str, Any]:
    here = app_state()
    assert here.sitting is not None
    template = view_of(here.sitting.table.record.game.ID).overlay_template
    return shown_board(here) | {"may_play": False, "board_template": template}
