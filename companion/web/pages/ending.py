"""The end of a game: a rematch, and an image of the result to share."""

from __future__ import annotations

import unicodedata

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.advice.ending import ending
from companion.advice.win_curve import WinChancesAt
from companion.archive.database import ArchiveError
from companion.game.turn_clock import TAG, limit_of
from companion.i18n.languages import gettext
from companion.plugins import plugin
from companion.web.app_state import AppState, app_state
from companion.web.pages.showing import board_response
from companion.web.sessions import begin_game
from companion.web.words_said import refusal, whole_sentence
from engine.errors import CourtsideError
from engine.record import Record
from engine.replay import Replay

blueprint = Blueprint("ending", __name__)
_WIDE = 640  # width of the winner's name in the image


@blueprint.post("/rematch")
def rematch() -> AnyResponse:
    """Starts another game with the same players, seats and rules."""
    here = app_state()
    if here.session.running is None:
        abort(404)
    notice = _begun_again(here, here.session.running.table.replay)
    if "X-Fragment" in request.headers:
        return board_response(here, notice)
    if notice:
        flash(notice)
    return redirect(url_for("table.page"), 303)


def _begun_again(here: AppState, replay: Replay) -> str:
    """Starts the rematch. Returns why it could not start, "" if it has."""
    if not replay.state.finished:
        return gettext("This game is not over yet.")
    record = replay.record
    try:
        tags = dict(replay.game.rematch_tags(replay.state)) | _kept_tags(record)
        begin_game(here, replay.game.ID, record.players, record.ruleset, **tags)
    except (CourtsideError, ArchiveError) as error:
        return whole_sentence(refusal(error))
    return ""


def _kept_tags(record: Record) -> dict[str, str]:
    """The header tag of the time for a turn, if the players have set one."""
    seconds = limit_of(record)
    return {TAG: str(seconds)} if seconds else {}


@blueprint.get("/ending.svg")
def picture() -> Response:
    """The result of the game on the table as an image."""
    here = app_state()
    if here.session.running is None:
        abort(404)
    return picture_of(here.session.running.table.replay)


def picture_of(replay: Replay) -> Response:
    """The result of a game as an image; None before its end."""
    found = ending(replay)
    if found is None:
        abort(404)
    course: tuple[WinChancesAt, ...] = app_state().caches.reviews.known(("chances", replay.text())) or ()
    drawn = render_template(
        "picture.svg",
        end=found,
        replay=replay,
        plays=plugin(replay.game.ID),
        course=course if course and not course[-1].name else (),
        size=min(104, _WIDE / (0.56 * max(_width(found.winner), 4))),
        date=replay.record.value("Date") or "",
    )
    return Response(drawn, mimetype="image/svg+xml", headers={"Content-Disposition": "inline; filename=courtside.svg"})


def _width(name: str) -> float:
    """Width of a name in average letters; Japanese letters count two."""
    return sum(1.8 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)
