"""Corrections of the record: the dialog, a preview of the consequences, the correction."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from companion.archive.database import ArchiveError
from companion.game.changes import Kind
from companion.game.table import Table
from companion.games.parts import question_form, second_guesses
from companion.plugins import plugin
from companion.web.app_state import app_state
from companion.web.pages.actions import PageAnswer, apply_change, require_seats, running_game, seen_version
from companion.web.pairing import Right
from companion.web.security import needs
from companion.web.sentences import GamePlayers
from companion.web.view_models.correction import choices, parts
from engine.errors import CourtsideError, Illegal

blueprint = Blueprint("correcting", __name__)


@blueprint.get("/correct/<int:number>")
@needs(Right.ENTER)
def correction(number: int) -> PageAnswer:
    """The dialog for one line of the record."""
    table = running_game().table
    place = next((place for place, line in enumerate(table.lines) if line.number == number), None)
    if place is None:
        abort(404)
    line, states, names = table.lines[place], table.replay.states, dict(app_state().session.seats())
    game_plugin = plugin(table.record.game.ID)
    view = game_plugin.view
    _, before, after = parts(line.event)
    after = tuple(reversed(after))
    doubts = (one for one in table.questions if number in one.lines)
    read = sorted(
        app_state().cameras.dice_history.dice_of(line), key=lambda die: die.kept != line.move.startswith("keep")
    )
    return render_template(
        "correct.html",
        line=line,
        game_players=GamePlayers.of(table.record),
        shown=view.lines([line], names)[0],
        doubt=next((question_form(one, view.lines, names) for one in doubts), None),
        choices=choices(table.record.game, states[min(place, len(states) - 1)], line, names),
        before=tuple(reversed(before)),
        after=after,
        guesses=second_guesses(after, read),
        examples=[event for event, _ in game_plugin.example()],
        seen=app_state().session.board_version(),
        picture=_picture(line.number),
    )


@blueprint.get("/correct/<int:number>/consequences")
@needs(Right.ENTER)
def consequences(number: int) -> PageAnswer:
    """A preview of what each button of that dialog would do; changes nothing."""
    table, event = running_game().table, _event(request.args)
    line = next((line for line in table.lines if line.number == number), None)
    if line is None:  # it was changed meanwhile, perhaps by this very form
        return render_template("consequences.html", trials=[])
    kinds: list[Kind] = ["remove"] if event == line.event else ["replace", "insert", "remove"]
    trials = [(kind, _preview(table, kind, number, event)) for kind in kinds]
    return render_template("consequences.html", trials=trials, game_players=GamePlayers.of(table.record))


def _preview(table: Table, kind: Kind, number: int, event: str) -> dict[str, object]:
    words, names = plugin(table.record.game.ID).view.lines, dict(app_state().session.seats())
    try:
        preview = table.preview_change(kind, number, event)
    except CourtsideError as error:
        return {"error": error}
    return {
        "refused": preview.refused,
        "corrected_too": words(preview.corrected_too, names),
        "broken": [(words([line], names)[0], why) for line, why in preview.broken],
        "more": preview.more,
    }


def _require_confirmation(table: Table, what: str, number: int, event: str) -> None:
    """Raises Illegal for a change that makes later lines illegal, unless the person has confirmed it."""
    kind: Kind = "remove" if what == "remove" else "insert" if what == "insert" else "replace"
    if "sure" in request.form:
        return
    preview = table.preview_change(kind, number, event)
    if preview.refused or preview.broken:
        raise Illegal("this would make later entries impossible. Tick the box under the list to do it anyway")


def _event(fields: MultiDict[str, str]) -> str:
    return " ".join(fields.get("event", "").split())[:120]


def _picture(number: int) -> str:
    """Address of the image from which the camera read this line, "" if there is none."""
    game, archive = running_game(), app_state().past.archive
    if archive is None or game.id is None:
        return ""
    place = next(place for place, line in enumerate(game.table.lines, 1) if line.number == number)
    try:
        known = place in app_state().past.replays.game(archive, game.id).roll_images
    except ArchiveError:
        return ""
    return url_for("history.seen", game_id=game.id, place=place) if known else ""


@blueprint.post("/correct/<int:number>")
@needs(Right.ENTER)
def correct(number: int) -> PageAnswer:
    """Replaces, removes or inserts a line."""
    game = running_game()
    table = game.table
    event = _event(request.form)
    what = request.form.get("what", "replace")

    def change() -> None:
        old_seats = [line.seat for line in table.lines if line.number == number]
        require_seats(*([] if what == "insert" else old_seats), *([] if what == "remove" else event[:1]))
        if what == "insert":
            table.require_current(seen_version(game))
        _require_confirmation(table, what, number, event)
        if what == "remove":
            table.remove(number)
        elif what == "insert":
            table.insert(event, number, expected_version=seen_version(game))
        else:
            table.replace(number, event)

    return apply_change(change)
