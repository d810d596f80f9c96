"""A player's phone: her own tableau and chances, and the purchase when it is her turn; read-only for spectators."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.web.app_state import app_state
from companion.web.pages.showing import board_response, shown_board, whole_page
from companion.web.security import visitor
from companion.web.view_models.knatsch import targets_ahead
from companion.web.view_models.knatsch_parts import KnatschBoard, Knight
from companion.web.view_models.krone_parts import Player, Scoreboard
from engine.advice.goals import GOALS
from engine.advice.position import Position
from engine.knatsch.state import State as KnatschState
from engine.krone.costs import COSTS
from engine.krone.state import State

blueprint = Blueprint("player", __name__)


@blueprint.get("/me/<seat>")
def page(seat: str) -> str | AnyResponse:
    """The page of one seat."""
    if app_state().sitting is None:
        return render_template("waiting.html")
    return whole_page("player.html", lambda: shown(seat), seat, seat=seat, name=dict(app_state().seats()).get(seat))


@blueprint.get("/me/<seat>/board")
def board(seat: str) -> Response:
    """The changing part alone."""
    return phone_response(seat)


def phone_response(seat: str, notice: str = "") -> Response:
    """The board of a seat's phone, and what is told to whoever changed something on it."""
    return board_response(app_state(), notice, fill=lambda: shown(seat), key=seat)


def shown(seat: str) -> dict[str, Any]:
    """What the templates of a player's phone are filled with."""
    if app_state().sitting is None:
        abort(404)
    filled = shown_board(app_state())
    me = next((player for player in filled["board"].players if player.seat == seat), None)
    if me is None:
        abort(404)
    filled |= {"me": me, "may_play": visitor().may_enter_for(seat)}
    if isinstance(filled["board"], KnatschBoard):
        return filled | {"board_template": "player_knatsch.html"} | _knatsch(filled["board"], me)
    return filled | {"board_template": "player_board.html", "chances": _chances(me, filled["board"])}


def _knatsch(board: KnatschBoard, me: Knight) -> dict[str, Any]:
    """Her moves only, and what she could go for: now, or in her next turn as things stand."""
    state = app_state().position()
    moves = tuple(move for move in board.moves if move.startswith(me.seat))
    found = targets_ahead(state, me.seat) if isinstance(state, KnatschState) else []
    return {"board": replace(board, moves=moves), "chances": found}


def _chances(me: Player, board: Scoreboard) -> list[tuple[str, float]]:
    """Card and chance, the likeliest first: of this turn when it is hers, else of her next one as things stand."""
    state = app_state().position()
    if not isinstance(state, State) or state.finished or state.final:
        return []
    if me.to_move:
        known = {pile.id: pile.chance for _, row in board.rows for pile in row if pile.chance is not None}
    else:
        wanted = tuple(
            card for card in COSTS if card in GOALS and state.display[card] != 0 and card not in state.tableau(me.seat)
        )
        known = dict(app_state().ahead.chances(Position.of(state, me.seat), wanted))
    return sorted(((card, chance) for card, chance in known.items() if chance > 0.001), key=lambda pair: -pair[1])
