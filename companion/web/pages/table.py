"""The table: the board, and everything people enter by hand."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.game.session import RunningGame
from companion.plugins import plugin
from companion.web.app_state import app_state
from companion.web.pages.actions import (
    PageAnswer,
    apply_change,
    require_change_rights,
    require_seats,
    running_game,
    seen_version,
)
from companion.web.pages.boards import board_context, board_response, full_page
from companion.web.pages.entry import MoveForm, read_move
from companion.web.pairing import Right
from companion.web.security import needs, visitor
from companion.web.view_models.correction import split_dice
from engine.dice import dice_text, faces
from engine.errors import Illegal

blueprint = Blueprint("table", __name__)


@blueprint.get("/")
def page() -> PageAnswer:
    """The whole page. Without a game it redirects visitors who may start one; others wait."""
    app = app_state()
    if app.session.running is None and not visitor().may(Right.MANAGE):
        return render_template("waiting.html")
    if app.session.running is None:
        return redirect(url_for("newgame.page"), 303)
    watching = app.cameras.watcher is not None
    return full_page("table.html", watching=watching, film=app.cameras.demo_game)


@blueprint.get("/board")
def board() -> Response:
    """The changing part of the table page."""
    return board_response(app_state())


@blueprint.get("/record.txt")
def record() -> Response:
    """The current game's record as text."""
    return make_response(running_game().table.replay.text(), {"Content-Type": "text/plain; charset=utf-8"})


@blueprint.get("/record/lines")
@needs(Right.ENTER)
def all_lines() -> PageAnswer:
    """The dialog with every event of the current game."""
    running_game()
    return render_template("record_all.html", **board_context(app_state()))


@blueprint.post("/enter")
@needs(Right.ENTER)
def enter() -> PageAnswer:
    """Records an event of the current turn, or a late purchase."""
    game = running_game()
    own = plugin(game.table.record.game.ID).view.forms
    return apply_change(lambda: _enter(game, read_move(request.form, own)))


def _enter(game: RunningGame, move: MoveForm) -> None:
    require_seats(move.seat)
    table, seen = game.table, seen_version(game)
    table.require_current(seen)
    if move.shows is not None:
        _correct_die(game, move)
    else:
        if move.before:
            table.enter(move.before, expected_version=seen)
            seen = None
        table.enter(move.text, expected_version=seen)


def _correct_die(game: RunningGame, move: MoveForm) -> None:
    """Corrects the event that brought a misread active die, or a die that is none."""
    shows = 0 if move.shows is None else move.shows
    if len(move.dice) != 1:
        abort(400)
    for line in reversed(game.table.lines):
        head, found = split_dice(line.event)
        dice = list(found)
        if move.dice[0] in dice and not head.endswith("keep"):
            dice.remove(move.dice[0])
            dice += [shows] if shows else []
            require_seats(line.seat)
            event = f"{head} {dice_text(faces(dice))}"
            game.table.replace(line.number, event, expected_version=seen_version(game))
            return
    raise Illegal("no {die} was rolled this turn", die=move.dice[0])


@blueprint.get("/use/<card>")
@needs(Right.ENTER)
def use(card: str) -> PageAnswer:
    """The dialog of a card: which dice, and what they become."""
    seen = app_state().session.board_version()
    state = running_game().table.preview_state
    one = plugin(state.GAME)
    shown = one.use_dialog and one.use_dialog(state, card, request.args.getlist("place", type=int))
    if shown is None:
        abort(404)
    return render_template(one.template("use"), seen=seen, **shown)


@blueprint.post("/undo")
@needs(Right.ENTER)
def undo() -> PageAnswer:
    """Undoes the last change."""
    game = running_game()
    return apply_change(lambda: game.table.undo(expected_version=seen_version(game), permit=require_change_rights))


@blueprint.post("/redo")
@needs(Right.ENTER)
def redo() -> PageAnswer:
    """Redoes the undone change."""
    game = running_game()
    return apply_change(lambda: game.table.redo(expected_version=seen_version(game), permit=require_change_rights))


@blueprint.post("/advice")
@needs(Right.ENTER)
def advice() -> PageAnswer:
    """Shows advice now, only after the decision, or never."""
    match request.form.get("when"):
        case ("now" | "after" | "off") as when:
            return apply_change(lambda: app_state().advisor.show(when))
    abort(400)


@blueprint.post("/skip")
@needs(Right.ENTER)
def skip() -> PageAnswer:
    """Leaves a question open: the record stays as it is."""
    running_game()
    return apply_change(lambda: app_state().session.skip(request.form.get("question", "")[:200]))


@blueprint.post("/answer")
@needs(Right.ENTER)
def answer() -> PageAnswer:
    """Settles a question."""
    number, choice = (request.form.get(field, default=-1, type=int) for field in ("question", "answer"))
    table = running_game().table

    def settle() -> None:
        for question in table.questions:
            if question.number == number:
                require_seats(*table.seats_of(question))
        table.answer(number, choice)

    return apply_change(settle)
