"""Past games: the list, one game replayed with a slider, downloads and import."""

from __future__ import annotations

import time

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion import chronology
from companion.archive import shelf
from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.languages import gettext
from companion.lookback import look_back
from companion.pages.showing import past_board
from companion.pairing import Role
from companion.room import room
from companion.security import open_to
from companion.words import refusal
from engine.advice.kernel import Expired
from engine.errors import CourtsideError
from engine.krone.state import State
from engine.replay import Replay

blueprint = Blueprint("history", __name__)
_KINDS = {"record": "text/plain; charset=utf-8", "json": "application/json", "csv": "text/csv; charset=utf-8"}
_SECONDS = 20.0  # no game is looked back on for longer
_MOST_BYTES = 512 * 1024  # a long game is 20 kB


@blueprint.get("/history")
def page() -> str:
    """All games, the one played last first."""
    here, notice = room(), ""
    games: list[shelf.Summary] = []
    if here.archive is not None:
        try:
            games = shelf.summaries(here.archive)
        except ArchiveError as error:
            notice = str(error)
    return render_template("history.html", games=games, notice=notice, kept=here.archive is not None)


@blueprint.get("/history/<game_id>")
def game(game_id: str) -> str | tuple[str, int]:
    """One game: its end, a slider back to any moment, and what its dice tell."""
    replay = _replay(game_id)
    krone = isinstance(replay.state, State)
    return render_template(
        "game.html",
        game_id=game_id,
        replay=replay,
        last=len(replay.states) - 1,
        board=past_board(replay, len(replay.states) - 1) if krone else None,
        fairness=chronology.fairness(replay.record.entries) if krone else None,
        luck=chronology.luck(replay) if krone else (),
        rounds=chronology.cards_by_round(replay) if krone else (),
    )


@blueprint.get("/history/<game_id>/review")
def review(game_id: str) -> str | tuple[str, int]:
    """The decisions that cost most, and luck apart from skill."""
    replay = _replay(game_id)
    if not isinstance(replay.state, State):
        abort(404)
    until = time.monotonic() + _SECONDS
    board = past_board(replay, len(replay.states) - 1)
    try:
        found = look_back(replay, board.lines, lambda: time.monotonic() > until)
    except Expired:
        found = None
    return render_template("review.html", game_id=game_id, replay=replay, found=found)


@blueprint.get("/history/<game_id>/at/<int:moment>")
def at(game_id: str, moment: int) -> str:
    """The board as it was after `moment` events."""
    replay = _replay(game_id)
    if not isinstance(replay.state, State):
        abort(404)
    board = past_board(replay, min(moment, len(replay.states) - 1))
    return render_template("board.html", board=board, notices=[], may_play=False, announcement="")


@blueprint.get("/history/<game_id>.<form>")
def download(game_id: str, form: str) -> Response:
    """The game as a file."""
    if form not in _KINDS:
        abort(404)
    try:
        text = shelf.exported(_archive(), game_id, form)
    except ArchiveError:
        abort(404)
    headers = {"Content-Disposition": f"attachment; filename=courtside-{game_id}.{'txt' if form == 'record' else form}"}
    return Response(text, content_type=_KINDS[form], headers=headers)


@blueprint.post("/history/import")
def take_in() -> AnyResponse:
    """A record from a file becomes a game of the archive."""
    upload = request.files.get("record")
    data = upload.stream.read(_MOST_BYTES + 1) if upload else b""
    try:
        if len(data) > _MOST_BYTES:
            raise ArchiveError(gettext("That file is too large to be a record."))
        game_id = shelf.import_record(_archive(), data.decode("utf-8-sig", "replace"))
    except CourtsideError as error:
        line = getattr(error, "line", None)
        where = gettext("Line %(line)s", line=line) + ": " if line else ""
        flash(where + refusal(error))
    except ArchiveError as error:
        flash(str(error))
    else:
        return redirect(url_for("history.game", game_id=game_id), 303)
    return redirect(url_for("history.page"), 303)


@blueprint.post("/history/<game_id>/delete")
@open_to(Role.HOST)
def delete(game_id: str) -> AnyResponse:
    """Forget a game for good, unless it is being played."""
    sitting = room().sitting
    if sitting is not None and sitting.id == game_id:
        flash(gettext("This game is being played; begin another one first."))
    else:
        try:
            _archive().delete(game_id)
        except ArchiveError as error:
            flash(str(error))
    return redirect(url_for("history.page"), 303)


def _archive() -> Archive:
    archive = room().archive
    if archive is None:
        abort(404)
    return archive


def _replay(game_id: str) -> Replay:
    try:
        return shelf.replayed(_archive(), game_id)
    except ArchiveError:
        abort(404)
