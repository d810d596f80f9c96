"""Starts or resumes a game."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.archive.database import ArchiveError
from companion.archive.players import recent_names
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from companion.game.session import RunningGame
from companion.game.turn_clock import TURN_LIMIT_TAG, TURN_LIMITS
from companion.plugins import plugin, plugins
from companion.web.app_state import app_state
from companion.web.pages.camera import chosen_source, current_source
from companion.web.pages.cards import example_turn
from companion.web.pairing import Right
from companion.web.request_costs import takes_upload
from companion.web.security import needs
from companion.web.sentences import refusal, whole_sentence
from companion.web.sessions import begin_game, resume_game
from engine.errors import CourtsideError, Unreadable
from engine.games import GAME_IDS, SEATS, Game, game
from engine.record import Record
from vision.sources.devices import Device, devices

blueprint = Blueprint("newgame", __name__)
MAX_DECK_UPLOAD = 200_000  # bytes; the shipped deck has about 5,000
_JOINING_CHARACTERS = "\u200c\u200d"  # needed within Persian words and flags
_RECENT = 50  # number of games searched for unfinished ones and for names


@blueprint.get("/new")
@needs(Right.MANAGE)
def page() -> str:
    """The form, and unfinished games."""
    return _form()


@blueprint.post("/new")
@takes_upload(2 * MAX_DECK_UPLOAD)
def begin() -> Response | tuple[str, int]:
    """Starts a game with the players in seat order, the starting player first, and the chosen camera."""
    other = request.form.get("source", current_source()) != current_source()
    source = chosen_source() if other else ""
    try:
        chosen = game(_game())
        fields = (f"{chosen.ID}-ruleset", "ruleset")
        chosen_ruleset = next((request.form[field] for field in fields if request.form.get(field)), None)
        ruleset = chosen_ruleset if len(chosen.RULESETS) > 1 else None
        begin_game(app_state(), chosen.ID, _players(), ruleset, **_options(chosen), **_turn_limit())
    except (CourtsideError, ArchiveError) as error:
        return _form(whole_sentence(refusal(error))), 400
    if other:
        app_state().cameras.watch(source)
    return redirect(url_for("table.page"), 303)


@blueprint.post("/resume/<game_id>")
def resume(game_id: str) -> Response | tuple[str, int]:
    """Resumes a game of the archive."""
    try:
        resume_game(app_state(), game_id)
    except ArchiveError as error:
        return _form(whole_sentence(refusal(error))), 400
    return redirect(url_for("table.page"), 303)


@blueprint.post("/demo/again")
def demo_again() -> Response:
    """Restarts the bundled film."""
    if app_state().cameras.demo is None:
        abort(404)
    app_state().cameras.watch_demo_again()
    return redirect(url_for("table.page"), 303)


@blueprint.post("/demo/skip")
def skip_demo() -> Response:
    """Ends the bundled film."""
    if app_state().cameras.demo is None:
        abort(404)
    app_state().cameras.skip_demo()
    return redirect(url_for("table.page"), 303)


@blueprint.post("/demo/keep")
def keep_demo() -> Response:
    """Archives the demo's game, which is not archived by default."""
    archive, running = app_state().past.archive, _unsaved_demo()
    if archive is None or running is None:
        abort(404)
    try:
        game_id = game_repository.import_record(archive, running.table.replay.text())
    except game_repository.AlreadyArchived as known:
        game_id = known.game_id
    return redirect(url_for("history.game", game_id=game_id), 303)


def _unsaved_demo() -> RunningGame | None:
    """The demo's game while it is on the table and not archived but could be."""
    app = app_state()
    running = app.session.running
    return running if app.past.archive and running and app.cameras.demo_game and running.id is None else None


def _form(notice: str = "") -> str:
    last = _last_record()
    names = request.form.getlist("player") or list(last.players if last else ())
    players = (names + [""] * len(SEATS))[: len(SEATS)]
    cameras, recent = devices(), _recent()
    return render_template(
        "newgame.html",
        players=players,
        filled=_field_values(),
        games=plugins(),
        examples={one.id: example_turn(one) for one in plugins()},
        most={id: game(id).PLAYERS[-1] for id in GAME_IDS},
        unfinished=_unfinished(recent),
        notice=notice,
        source=request.form.get("source", _proposed_source(cameras)),
        cameras=cameras,
        may_keep_demo=_unsaved_demo() is not None,
        known=recent_names(recent),
        turn_choices=TURN_LIMITS,
    )


def _field_values() -> dict[str, str]:
    """Values of the form's fields: what was sent and rejected, else those of the last game, because the next one is
    often the same."""
    last = _last_record()
    played = {} if last is None else {tag: last.value(tag) for tag in last.game.TAGS}
    played |= (
        {}
        if last is None
        else {"game": last.game.ID, "ruleset": last.ruleset, TURN_LIMIT_TAG: last.value(TURN_LIMIT_TAG)}
    )
    return {"starts": "0"} | {name: text for name, text in played.items() if text} | request.form.to_dict()


def _game() -> str:
    chosen = request.form.get("game", GAME_IDS[0])
    if chosen not in GAME_IDS:
        abort(400)
    return chosen


def _players() -> list[str]:
    """Names in seat order from the starting player, without empty seats."""
    fields = [_name(field) for field in request.form.getlist("player")[: len(SEATS)]]
    start = request.form.get("starts", default=0, type=int)
    if 0 <= start < len(fields):
        fields = fields[start:] + fields[:start]
    names = [name for name in fields if name]
    seats = game(_game()).PLAYERS
    if len(names) > seats[-1]:
        sentence = "this game is for {low} to {high} players, not {count}"
        raise Unreadable(sentence, low=seats[0], high=seats[-1], count=len(names))
    return names


def _name(typed: str) -> str:
    """The name without invisible characters: direction marks would affect the text beside it on every page, and two
    names that look alike would be two players."""
    visible = (
        letter
        for letter in unicodedata.normalize("NFC", typed)
        if letter in _JOINING_CHARACTERS or letter.isspace() or unicodedata.category(letter)[0] != "C"
    )
    return " ".join("".join(visible).split()).strip(_JOINING_CHARACTERS)


def _options(chosen: Game) -> dict[str, str]:
    """The header tags of this game only.

    Raises:
        Unreadable: They are invalid.
    """
    file = request.files.get("deck")
    return plugin(chosen.ID).tags(request.form.to_dict(), file.read(MAX_DECK_UPLOAD + 1) if file else b"")


def _turn_limit() -> dict[str, str]:
    """The header tag of the time for a turn, where one was chosen."""
    seconds = request.form.get(TURN_LIMIT_TAG, "")
    return {TURN_LIMIT_TAG: seconds} if seconds in map(str, TURN_LIMITS) else {}


def _proposed_source(cameras: Sequence[Device]) -> str:
    """The proposed source: the current camera; after the demo the first camera, or dice entered by hand."""
    source = current_source()
    if source != "demo":
        return source
    return str(cameras[0].number) if cameras else "none"


def _last_record() -> Record | None:
    """The record of the current game; None for the demo's."""
    running = None if app_state().cameras.demo_game else app_state().session.running
    return running.table.record if running else None


def _recent() -> list[Summary]:
    """The games played last, for known names and for games to resume."""
    past = app_state().past
    if past.archive is None:
        return []
    try:
        return past.replays.summaries_of(past.archive, past.archive.games()[:_RECENT], past.replays.page_wait)
    except ArchiveError:
        return []


def _unfinished(recent: Sequence[Summary]) -> list[Summary]:
    running = app_state().session.running
    playing = running.id if running else None
    return [one for one in recent if not one.finished and not one.pending and one.id != playing][:8]
