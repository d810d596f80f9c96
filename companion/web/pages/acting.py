"""Which version of the game a person saw who sends a form, so that two people never undo each other's work unawares."""

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
    """Hidden fields of a form that changes the game: the board it belongs to, on a player's phone whose phone that is,
    and the token where there are no scripts.

    Boards sent to scripts carry nobody's token; scripts send it themselves. Its field is there all the same: a board
    that differed in its fields could not be merged into the one shown.
    """
    board = context.get("board")
    version = context.get("seen") or (board.version if board else "")
    seen = Markup('<input type="hidden" name="seen" value="{}">').format(version)
    nobody = Markup('<input type="hidden" name="csrf" value="">')
    alone = "X-Fragment" in request.headers and not for_many()
    me = context.get("me")
    phone = Markup('<input type="hidden" name="from" value="{}">').format(me.seat) if me else Markup()
    return (nobody if alone else token_field()) + seen + phone


def seen_version(game: RunningGame) -> int | None:
    """The table's version on the board the form was sent from, None when it does not say. Raises Illegal when that
    board showed another game."""
    serial, _, rest = request.form.get("seen", "").partition(".")
    version = rest.partition(".")[0]
    if not (serial.isdecimal() and version.isdecimal() and len(serial + version) < 20):
        return None
    if int(serial) != game.serial:
        raise Illegal("a new game has started since this page loaded. Check the table and try again")
    return int(version)
