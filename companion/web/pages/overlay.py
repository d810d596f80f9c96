"""Views without frames and buttons: for a television, as a stream overlay in whole or in parts, and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.web.app_state import AppState, app_state
from companion.web.event_words import spoken_line
from companion.web.pages.boards import board_context, board_response, full_page
from companion.web.view_models.feed import feed, final_lines

blueprint = Blueprint("overlay", __name__)
PARTS = ("turn", "dice", "offers", "players", "chances", "moment")  # each can be placed by itself


@blueprint.get("/overlay")
def page() -> str | AnyResponse:
    """The whole overlay; `?transparent` leaves the background to the streaming software."""
    return _page("overlay.html", "overlay", _view_context, followed=url_for("overlay.board"))


@blueprint.get("/overlay/board")
def board() -> Response:
    """The changing part of the overlay."""
    return board_response(app_state(), make_context=_view_context, key="overlay")


@blueprint.get("/overlay/<part>")
def part_page(part: str) -> str | AnyResponse:
    """One part of the overlay, to be placed anywhere in a stream."""
    return _page(
        "overlay.html", f"overlay {part}", _part_context(part), followed=url_for("overlay.part_board", part=part)
    )


@blueprint.get("/overlay/<part>/board")
def part_board(part: str) -> Response:
    """The changing content of one overlay part."""
    return board_response(app_state(), make_context=_part_context(part), key=f"overlay {part}")


@blueprint.get("/television")
def television() -> str | AnyResponse:
    """Camera, large dice, offers, threshold and cards for sale, for a screen across the room."""
    watching = app_state().cameras.watcher is not None
    followed = url_for("overlay.television_board")
    return _page("television.html", "television", _television_context, followed=followed, watching=watching)


@blueprint.get("/television/board")
def television_board() -> Response:
    """The changing part of the television view."""
    return board_response(app_state(), make_context=_television_context, key="television")


@blueprint.get("/feed")
def data() -> Response:
    """The game as JSON for other programs; `GET /events?board=/feed` sends it again with every change."""
    app = app_state()
    game = app.session.running
    if game is None:
        return _with_version(jsonify(None), app)
    table, chances = game.table, app.advisor.chances()
    in_question = [number for one in table.questions_to_ask for number in one.lines]
    wins = chances.wins if chances else {}
    game_feed = feed(app.session.board_version(), table.replay, table.preview_state, table.lines, wins, in_question)
    return _with_version(jsonify(game_feed), app)


def _with_version(response: Response, app: AppState) -> Response:
    response.headers["X-Version"] = app.session.board_version()
    return response


def _page(template: str, key: str, make_context: Callable[[], dict[str, Any]], **around: Any) -> str | AnyResponse:
    if app_state().session.running is None:
        return render_template("waiting.html")
    return full_page(template, make_context, key, transparent="transparent" in request.args, **around)


def _view_context(template: str = "overlay_board.html", **more: Any) -> dict[str, Any]:
    """The context of a read-only view, with the chances to win."""
    chances = app_state().advisor.chances()
    wins = dict(chances.wins) if chances else {}
    return board_context(app_state()) | {"may_play": False, "wins": wins, "board_template": template} | more


def _part_context(part: str) -> Callable[[], dict[str, Any]]:
    if part not in PARTS:
        abort(404)
    return lambda: _view_context("overlay_part.html", part=part)


def _television_context() -> dict[str, Any]:
    """The context of the television view; it announces only final events."""
    return _view_context("television_board.html", announcement=_final_announcement(app_state()))


def _final_announcement(app: AppState) -> str:
    """The result of the last finished turn in one sentence; the winner once there is one."""
    assert app.session.running is not None
    table = app.session.running.table
    context = board_context(app)
    if context["board"].winner:
        return str(context["announcement"])
    places = {line.number: place for place, line in enumerate(table.lines, 1)}
    in_question = [places[number] for one in table.questions_to_ask for number in one.lines if number in places]
    final = context["board"].lines[: final_lines(table.replay, in_question)]
    turn_end_verbs = context["game_plugin"].view.turn_end_verbs
    latest = next((line for line in reversed(final) if line.verb in turn_end_verbs), None)
    return "" if latest is None else f"{latest.name}: {spoken_line(latest)}"
