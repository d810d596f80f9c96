"""The end of a game: a rematch, and an image of the result to share."""

from __future__ import annotations

import unicodedata

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.advice.ending import ending
from companion.advice.win_curve import WinChancesAt
from companion.archive.database import ArchiveError
from companion.game.turn_clock import TURN_LIMIT_TAG, turn_limit
from companion.i18n.languages import gettext
from companion.plugins import plugin
from companion.web.app_state import AppState, app_state
from companion.web.pages.boards import board_response
from companion.web.sentences import refusal, whole_sentence
from companion.web.sessions import begin_game
from engine.errors import CourtsideError
from engine.record import Record
from engine.replay import Replay

blueprint = Blueprint("ending", __name__)
_NAME_WIDTH = 640  # width of the winner's name in the image


@blueprint.post("/rematch")
def rematch() -> AnyResponse:
    """Starts another game with the same players, seats and rules."""
    app = app_state()
    if app.session.running is None:
        abort(404)
    notice = _start_rematch(app, app.session.running.table.replay)
    if "X-Fragment" in request.headers:
        return board_response(app, notice)
    if notice:
        flash(notice)
    return redirect(url_for("table.page"), 303)


def _start_rematch(app: AppState, replay: Replay) -> str:
    """Starts the rematch. Returns why it could not start, "" if it has."""
    if not replay.state.finished:
        return gettext("This game is not over yet.")
    record = replay.record
    try:
        tags = dict(replay.game.rematch_tags(replay.state)) | _turn_limit_tag(record)
        begin_game(app, replay.game.ID, record.players, record.ruleset, **tags)
    except (CourtsideError, ArchiveError) as error:
        return whole_sentence(refusal(error))
    return ""


def _turn_limit_tag(record: Record) -> dict[str, str]:
    """The header tag of the time for a turn, if the players have set one."""
    seconds = turn_limit(record)
    return {TURN_LIMIT_TAG: str(seconds)} if seconds else {}


@blueprint.get("/ending.svg")
def picture() -> Response:
    """The result of the game on the table as an image."""
    app = app_state()
    if app.session.running is None:
        abort(404)
    return picture_of(app.session.running.table.replay)


def picture_of(replay: Replay) -> Response:
    """The result of a game as an image; None before its end."""
    found = ending(replay)
    if found is None:
        abort(404)
    win_curve: tuple[WinChancesAt, ...] = app_state().caches.reviews.get(("chances", replay.text())) or ()
    svg = render_template(
        "picture.svg",
        end=found,
        replay=replay,
        game_plugin=plugin(replay.game.ID),
        course=win_curve if win_curve and not win_curve[-1].name else (),
        size=min(104, _NAME_WIDTH / (0.56 * max(_width(found.winner), 4))),
        date=replay.record.value("Date") or "",
    )
    return Response(svg, mimetype="image/svg+xml", headers={"Content-Disposition": "inline; filename=courtside.svg"})


def _width(name: str) -> float:
    """Width of a name in average letters; Japanese letters count two."""
    return sum(1.8 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)
