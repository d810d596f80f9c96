"""Makes changes sent by visitors: checks permissions and answers with the board.

A form names the version of the game on its page, so that two people never undo each other's work unknowingly.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import abort, flash, make_response, redirect, request, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.archive.database import ArchiveError
from companion.game.changes import Change, NotSaved
from companion.game.session import RunningGame
from companion.web.app_state import app_state
from companion.web.pages.boards import board_response
from companion.web.pages.player import phone_response
from companion.web.security import is_shared_page, token_field, visitor
from companion.web.sentences import GamePlayers, refusal, whole_sentence
from engine.errors import CourtsideError, Illegal

PageAnswer = Response | tuple[str, int] | str


def running_game() -> RunningGame:
    """The current game; 404 without one."""
    game = app_state().session.running
    if game is None:
        abort(404)
    return game


class NotYourSeat(Illegal):
    """The visitor may not act for this seat."""


def require_seats(*seats: str) -> None:
    """Raises NotYourSeat if the visitor may not enter or change events of one of these seats."""
    for seat in sorted(map(str.upper, seats)):
        if not visitor().may_enter_for(seat):
            raise NotYourSeat("only {seat} or the host can enter or change this", seat=seat)


def require_change_rights(change: Change) -> None:
    """Raises NotYourSeat if the visitor may not change the events that this change affects."""
    require_seats(*change.seats)


def _error_sentence(error: Exception) -> str:
    return whole_sentence(refusal(error, GamePlayers.of(running_game().table.record)))


def apply_change(change: Callable[[], object]) -> PageAnswer:
    """Makes a change and answers with the board; an error appears on it as a sentence."""
    notice, status = "", 200
    try:
        change()
    except NotYourSeat as error:
        if "X-Fragment" not in request.headers:
            abort(403)
        notice, status = _error_sentence(error), 403
    except (CourtsideError, NotSaved, ArchiveError) as error:
        notice = _error_sentence(error)
    seat = request.form.get("from", "")
    phone = seat in dict(app_state().session.seats())
    if "X-Fragment" in request.headers:
        board = phone_response(seat, notice) if phone else board_response(app_state(), notice)
        response = make_response(board, status)
        if notice:
            response.headers["X-Refused"] = "1"  # the form keeps what was entered
        return response
    if notice:
        flash(notice)
    return redirect(url_for("player.page", seat=seat) if phone else url_for("table.page"), 303)


@pass_context
def form_fields(context: Context) -> Markup:
    """Hidden fields of a form that changes the game: its board, the seat of a player's phone, and the CSRF token.

    Boards sent to scripts have an empty token field, because scripts send the token themselves and boards with
    different fields could not be merged.
    """
    board = context.get("board")
    version = context.get("seen") or (board.version if board else "")
    seen = Markup('<input type="hidden" name="seen" value="{}">').format(version)
    no_token = Markup('<input type="hidden" name="csrf" value="">')
    is_fragment = "X-Fragment" in request.headers and not is_shared_page()
    me = context.get("me")
    phone = Markup('<input type="hidden" name="from" value="{}">').format(me.seat) if me else Markup()
    return (no_token if is_fragment else token_field()) + seen + phone


def seen_version(game: RunningGame) -> int | None:
    """The table's version on the board that sent the form; None if it does not say.

    Raises:
        Illegal: The board showed another game.
    """
    serial, _, rest = request.form.get("seen", "").partition(".")
    version = rest.partition(".")[0]
    if not (serial.isdecimal() and version.isdecimal() and len(serial + version) < 20):
        return None
    if int(serial) != game.serial:
        raise Illegal("a new game has started since this page loaded. Check the table and try again")
    return int(version)
