"""The version of the game on the page that sent a form, so that two people never undo each other's work unknowingly."""

from __future__ import annotations

from flask import request
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from companion.game.session import RunningGame
from companion.web.security import for_many, token_field
from engine.errors import Illegal


@pass_context
def act_fields(context: Context) -> Markup:
    """Hidden fields of a form that changes the game: its board, the seat of a player's phone, and the CSRF token.

    Boards sent to scripts have an empty token field, because scripts send the token themselves and boards with
    different fields could not be merged.
    """
    board = context.get("board")
    version = context.get("seen") or (board.version if board else "")
    seen = Markup('<input type="hidden" name="seen" value="{}">').format(version)
    no_token = Markup('<input type="hidden" name="csrf" value="">')
    alone = "X-Fragment" in request.headers and not for_many()
    me = context.get("me")
    phone = Markup('<input type="hidden" name="from" value="{}">').format(me.seat) if me else Markup()
    return (no_token if alone else token_field()) + seen + phone


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
