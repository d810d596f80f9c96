"""The table: the scoreboard, and everything people enter by hand."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion.archive.database import ArchiveError
from companion.game.changes import Change, Kind, Unkept
from companion.game.table import Table
from companion.i18n.words_said import refusal, whole_sentence
from companion.web.app_state import Sitting, app_state
from companion.web.card_options import may_reroll, possible_afters
from companion.web.pages.acting import seen_version
from companion.web.pages.entry import Move, read_move
from companion.web.pages.player import phone_response
from companion.web.pages.showing import board_response, shown_board, whole_page
from companion.web.pairing import Right
from companion.web.security import needs, visitor
from companion.web.view_models.correction import choices, parts, split_dice
from companion.web.view_models.games import view_of
from companion.web.view_models.krone_parts import second_guesses
from engine.dice import dice_text, faces
from engine.errors import CourtsideError, Illegal
from engine.krone.cards import CARDS
from engine.krone.state import State as KroneState

blueprint = Blueprint("table", __name__)
Answer = Response | tuple[str, int] | str


@blueprint.get("/")
def page() -> Answer:
    """The whole page; without a game it leads whoever may begin one there, and lets the others wait."""
    here = app_state()
    if here.sitting is None and not visitor().may(Right.MANAGE):
        return render_template("waiting.html")
    if here.sitting is None:
        return redirect(url_for("newgame.page"), 303)
    watching = here.watcher is not None
    return whole_page("table.html", watching=watching)


@blueprint.get("/board")
def board() -> Response:
    """The changing part alone."""
    return board_response(app_state())


@blueprint.get("/record.txt")
def record() -> Response:
    """The running game's record as text."""
    return make_response(_sitting().table.replay.text(), {"Content-Type": "text/plain; charset=utf-8"})


@blueprint.get("/record/lines")
@needs(Right.ENTER)
def all_lines() -> Answer:
    """The dialog with every event of the running game."""
    _sitting()
    return render_template("record_all.html", **shown_board(app_state()))


@blueprint.post("/enter")
@needs(Right.ENTER)
def enter() -> Answer:
    """Enter an event of the running turn, or a late purchase."""
    sitting = _sitting()
    return _done(lambda: _enter(sitting, read_move(request.form)))


def _enter(sitting: Sitting, move: Move) -> None:
    _may_act_for(move.seat)
    table, seen = sitting.table, seen_version(sitting)
    table.must_be_seen(seen)
    if move.shows is not None:
        _correct_die(sitting, move)
    else:
        if move.before:
            table.enter(move.before, expected_version=seen)
            seen = None
        table.enter(move.text, expected_version=seen)


def _correct_die(sitting: Sitting, move: Move) -> None:
    """One active die really shows something else, or is none: correct the event that brought it."""
    shows = 0 if move.shows is None else move.shows
    if len(move.dice) != 1:
        abort(400)
    for line in reversed(sitting.table.lines):
        head, found = split_dice(line.event)
        dice = list(found)
        if move.dice[0] in dice and not head.endswith("keep"):
            dice.remove(move.dice[0])
            dice += [shows] if shows else []
            _may_act_for(line.seat)
            event = f"{head} {dice_text(faces(dice))}"
            sitting.table.replace(line.number, event, expected_version=seen_version(sitting))
            return
    raise Illegal("no {die} has been rolled this turn", die=move.dice[0])


@blueprint.get("/use/<card>")
@needs(Right.ENTER)
def use(card: str) -> Answer:
    """The dialog of a card: which dice, and what they become."""
    seen = app_state().board_name()
    state = _sitting().table.preview_state
    if card not in CARDS or not isinstance(state, KroneState):
        abort(404)
    active = tuple(reversed(state.turn.active))
    places = {place for place in request.args.getlist("place", type=int) if 0 <= place < len(active)}
    chosen = tuple(active[place] for place in sorted(places))
    return render_template(
        "use.html",
        card=card,
        seat=state.seat,
        active=active,
        chosen_places=places,
        chosen=chosen,
        rerolls=may_reroll(state, card, chosen),
        afters=possible_afters(state, card, chosen),
        ability=CARDS[card].ability,
        seen=seen,
    )


@blueprint.get("/correct/<int:number>")
@needs(Right.ENTER)
def correction(number: int) -> Answer:
    """The dialog that corrects one line of the record."""
    table = _sitting().table
    place = next((place for place, line in enumerate(table.lines) if line.number == number), None)
    if place is None:
        abort(404)
    line, states, names = table.lines[place], table.replay.states, dict(app_state().seats())
    view = view_of(table.record.game.ID)
    _, before, after = parts(line.event)
    after = tuple(reversed(after))
    doubts = (one for one in table.questions if number in one.lines and not one.matters)
    read = sorted(app_state().read_dice.of(line), key=lambda die: die.kept != line.move.startswith("keep"))
    return render_template(
        "correct.html",
        line=line,
        shown=view.lines([line], names)[0],
        doubt=next((view.question(one, names) for one in doubts), None),
        choices=choices(table.record.game, states[min(place, len(states) - 1)], line, names),
        before=tuple(reversed(before)),
        after=after,
        guesses=second_guesses(after, read),
        seen=app_state().board_name(),
        picture=_picture(line.number),
    )


@blueprint.get("/correct/<int:number>/consequences")
@needs(Right.ENTER)
def consequences(number: int) -> Answer:
    """What each button of that dialog would come to, in words; nothing is changed."""
    table, event = _sitting().table, _event(request.args)
    line = next((line for line in table.lines if line.number == number), None)
    if line is None:  # it was changed while it was looked at, by this very form perhaps
        return render_template("consequences.html", trials=[])
    kinds: list[Kind] = ["remove"] if event == line.event else ["replace", "insert", "remove"]
    return render_template("consequences.html", trials=[(kind, _trial(table, kind, number, event)) for kind in kinds])


def _trial(table: Table, kind: Kind, number: int, event: str) -> dict[str, object]:
    said, names = view_of(table.record.game.ID).lines, dict(app_state().seats())
    try:
        found = table.trial(kind, number, event)
    except CourtsideError as error:
        return {"error": error}
    return {
        "refused": found.refused,
        "along": said(found.along, names),
        "broken": [(said([line], names)[0], why) for line, why in found.broken],
        "more": found.more,
    }


def _event(fields: MultiDict[str, str]) -> str:
    return " ".join(fields.get("event", "").split())[:120]


def _picture(number: int) -> str:
    """Address of what the camera saw when it read this line, "" where nothing was kept."""
    sitting, archive = _sitting(), app_state().archive
    if archive is None or sitting.id is None:
        return ""
    place = next(place for place, line in enumerate(sitting.table.lines, 1) if line.number == number)
    try:
        known = place in app_state().past.game(archive, sitting.id).pictured
    except ArchiveError:
        return ""
    return url_for("history.seen", game_id=sitting.id, place=place) if known else ""


@blueprint.post("/correct/<int:number>")
@needs(Right.ENTER)
def correct(number: int) -> Answer:
    """Replace, remove, or put an event before a line."""
    sitting = _sitting()
    table = sitting.table
    event = _event(request.form)
    what = request.form.get("what", "replace")

    def change() -> None:
        was = [line.seat for line in table.lines if line.number == number]
        _may_act_for(*([] if what == "insert" else was), *([] if what == "remove" else event[:1]))
        if what == "remove":
            table.remove(number)
        elif what == "insert":
            table.insert(event, number, expected_version=seen_version(sitting))
        else:
            table.replace(number, event)

    return _done(change)


@blueprint.post("/undo")
@needs(Right.ENTER)
def undo() -> Answer:
    """Take the last change back."""
    sitting = _sitting()
    return _done(lambda: sitting.table.undo(expected_version=seen_version(sitting), permit=_may_change))


@blueprint.post("/redo")
@needs(Right.ENTER)
def redo() -> Answer:
    """Make the undone change again."""
    sitting = _sitting()
    return _done(lambda: sitting.table.redo(expected_version=seen_version(sitting), permit=_may_change))


@blueprint.post("/advice")
@needs(Right.ENTER)
def advice() -> Answer:
    """Show the advice now, only after the decision it was for, or not at all."""
    match request.form.get("when"):
        case ("now" | "after" | "off") as when:
            return _done(lambda: app_state().show_advice(when))
    abort(400)


@blueprint.post("/answer")
@needs(Right.ENTER)
def answer() -> Answer:
    """Settle a question."""
    number, choice = (request.form.get(field, default=-1, type=int) for field in ("question", "answer"))
    table = _sitting().table

    def settle() -> None:
        for question in table.questions:
            if question.number == number:
                _may_act_for(*table.seats_of(question))
        table.answer(number, choice)

    return _done(settle)


def _sitting() -> Sitting:
    sitting = app_state().sitting
    if sitting is None:
        abort(404)
    return sitting


class NotYours(Illegal):
    """A player's phone acts for its own seats only; the host's for everybody."""


def _may_act_for(*seats: str) -> None:
    """Raises NotYours when the visitor may not say, or change, what happened at one of these seats."""
    for seat in sorted(map(str.upper, seats)):
        if not visitor().may_enter_for(seat):
            raise NotYours("only {seat} and the host may enter or change this", seat=seat)


def _may_change(change: Change) -> None:
    _may_act_for(*change.seats)


def _done(change: Callable[[], object]) -> Answer:
    """Make a change and show the board it was made from; a refusal is a sentence on it."""
    notice, status = "", 200
    try:
        change()
    except NotYours as error:
        if "X-Fragment" not in request.headers:
            abort(403)
        notice, status = whole_sentence(refusal(error)), 403
    except (CourtsideError, Unkept, ArchiveError) as error:
        notice = whole_sentence(refusal(error))
    seat = request.form.get("from", "")
    phone = seat in dict(app_state().seats())
    if "X-Fragment" in request.headers:
        board = phone_response(seat, notice) if phone else board_response(app_state(), notice)
        return make_response(board, status)
    if notice:
        flash(notice)
    return redirect(url_for("player.page", seat=seat) if phone else url_for("table.page"), 303)
