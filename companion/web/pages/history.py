"""Past games: the list, the replay of a game with a slider, downloads and import."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import parse_qs

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.advice import statistics
from companion.advice.ending import ending, turning_point
from companion.advice.review import ReviewSummary, graded_decisions, review_summary
from companion.advice.win_curve import win_curve
from companion.archive.database import ArchiveError, Damaged
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from companion.game.archived.backups import newest_intact_backup, restore_games
from companion.i18n.languages import gettext
from companion.i18n.words import day_text
from companion.plugins import plugin
from companion.web.app_state import app_state
from companion.web.pages.archived import archive, past_game, reviewed
from companion.web.pages.boards import past_board
from companion.web.pages.ending import picture_of
from companion.web.pairing import Right
from companion.web.request_costs import takes_long, takes_upload
from companion.web.security import needs
from companion.web.sentences import GamePlayers, refusal, whole_sentence
from companion.web.view_models.curve_labels import label_places
from engine.errors import CourtsideError
from engine.replay import Replay

blueprint = Blueprint("history", __name__)
blueprint.add_app_template_filter(label_places)
_CONTENT_TYPES = {"record": "text/plain; charset=utf-8", "json": "application/json", "csv": "text/csv; charset=utf-8"}
_MAX_REVIEW_SECONDS = 90.0  # time limit of a review
_PAGE_WAIT_SECONDS = 0.8  # seconds a page waits for more results before it shows those it has
_GAMES_PER_PAGE = 40  # games
_MAX_BYTES = 128 * 1024  # a long game has 20 kB
Found = TypeVar("Found")


@blueprint.get("/history")
def page() -> str:
    """All games in pages, the one played last first."""
    past, notice = app_state().past, ""
    games: list[Summary] = []
    number = pages = 1
    if past.archive is not None:
        try:
            rows = past.archive.games()
            pages = max(1, math.ceil(len(rows) / _GAMES_PER_PAGE))
            number = min(max(request.args.get("page", default=1, type=int), 1), pages)
            shown = rows[(number - 1) * _GAMES_PER_PAGE : number * _GAMES_PER_PAGE]
            games = past.replays.summaries_of(past.archive, shown, past.replays.page_wait)
        except ArchiveError as error:
            notice = str(error)
    return render_template(
        "history.html", games=games, notice=notice, kept=past.archive is not None, number=number, pages=pages
    )


@blueprint.get("/history/<game_id>")
def game(game_id: str) -> str | tuple[str, int]:
    """One game: a slider to any moment (`at`, at first the end) and its statistics. Of a damaged one the readable
    part, with ways to repair it."""
    try:
        past = app_state().past.replays.game(archive(), game_id)
    except Damaged:
        return render_template("damaged.html", game_id=game_id, backup_day=_backup_day(game_id))
    except ArchiveError:
        abort(404)
    replay = past.replay
    last = len(replay.states) - 1
    moment = min(max(request.args.get("at", default=last, type=int), 0), last)
    game_plugin = plugin(replay.game.ID)
    return render_template(
        "game.html",
        game_id=game_id,
        game_players=GamePlayers.of(replay.record),
        replay=replay,
        damaged=past.damage is not None,
        backup_day=_backup_day(game_id) if past.damage else None,
        roll_images=past.roll_images,
        on_the_table=_is_on_the_table(game_id),
        last=last,
        moment=moment,
        game_plugin=game_plugin,
        ending=ending(replay),
        board=past_board(replay, moment),
        board_template=game_plugin.template("board"),
        fairness=statistics.fairness(replay.record),
        luck=statistics.luck(replay),
        rounds=game_plugin.view.rounds(replay) if game_plugin.view.rounds else (),
        rounds_title=game_plugin.view.rounds_title(),
    )


@blueprint.get("/history/<game_id>/picture.svg")
def picture(game_id: str) -> Response:
    """The result of the game as an image."""
    return picture_of(past_game(game_id).replay)


@blueprint.get("/history/<game_id>/chances")
@takes_long()
def chances(game_id: str) -> str:
    """The chart of win probabilities, as a part of the game's page or, without scripts, as a page."""
    replay = past_game(game_id).replay
    if plugin(replay.game.ID).win_chances is None:
        abort(404)
    timeline = _cached("chances", replay, lambda: win_curve(replay, _time_limit()))
    template = "chances.html" if "X-Fragment" in request.headers else "chances_page.html"
    turning = turning_point(replay, timeline)
    return render_template(template, game_id=game_id, replay=replay, timeline=timeline, turning=turning)


@blueprint.get("/history/<game_id>/review")
@takes_long(unless=lambda query, fragment: "whole" not in parse_qs(query, keep_blank_values=True))
def review(game_id: str) -> str:
    """The review as far as it is known; the page asks for the rest. `parts` is the number of turns the page has;
    with `whole`, for browsers without scripts, the complete review."""
    replay, progress = reviewed(game_id)
    if "whole" in request.args:
        progress.wait(len(replay.states), _MAX_REVIEW_SECONDS)
    else:
        progress.wait(max(request.args.get("parts", default=0, type=int), _quick_turns(replay)), _PAGE_WAIT_SECONDS)
    parts = progress.parts

    def summarize() -> ReviewSummary:
        return review_summary(replay, past_board(replay, len(replay.states) - 1).lines, progress.review)

    template = "review_found.html" if "X-Fragment" in request.headers else "review.html"
    return render_template(
        template,
        game_id=game_id,
        game_players=GamePlayers.of(replay.record),
        replay=replay,
        progress=progress,
        parts=parts,
        found=_cached("review", replay, summarize) if progress.done else summarize(),
    )


@blueprint.get("/history/<game_id>/moves")
def moves(game_id: str) -> str:
    """Every decision with its grade, as far as known: marks for the slider, and the better choices. `parts` as for
    the review."""
    replay, progress = reviewed(game_id)
    progress.wait(max(request.args.get("parts", default=0, type=int), _quick_turns(replay)), _PAGE_WAIT_SECONDS)
    parts, last = progress.parts, len(replay.states) - 1
    found = graded_decisions(replay, past_board(replay, last).lines, progress.review)
    return render_template("moves.html", game_id=game_id, progress=progress, parts=parts, moves=found, last=last)


def _quick_turns(replay: Replay) -> int:
    """Number of turns known within a moment; the first half of a game takes almost no time."""
    return len(replay.states) // 20


def _time_limit() -> Callable[[], bool]:
    deadline, broadcast = time.monotonic() + _MAX_REVIEW_SECONDS, app_state().session.broadcast
    return lambda: broadcast.closed or time.monotonic() > deadline


def _cached(what: str, replay: Replay, compute: Callable[[], Found]) -> Found:
    """Computes an expensive result once for all viewers of the same game."""
    found: Found = app_state().caches.reviews.get_or_compute((what, replay.text()), compute)
    return found


@blueprint.get("/history/<game_id>/at/<int:moment>")
def at(game_id: str, moment: int) -> str:
    """The board after `moment` events."""
    replay = past_game(game_id).replay
    board = past_board(replay, min(moment, len(replay.states) - 1))
    return render_template(
        plugin(replay.game.ID).template("board"),
        board=board,
        game_players=GamePlayers.of(replay.record),
        notices=[],
        may_play=False,
        announcement="",
        past=True,
        game_id=game_id,
        roll_images=past_game(game_id).roll_images,
    )


@blueprint.get("/history/<game_id>/seen/<int:place>")
def seen(game_id: str, place: int) -> Response:
    """The image from which the camera read event `place` (1, 2, …)."""
    number = past_game(game_id).roll_images.get(place)
    jpeg = None if number is None else archive().picture(game_id, number)
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@blueprint.get("/history/<game_id>.<form>")
def download(game_id: str, form: str) -> Response:
    """The game as a file."""
    if form not in _CONTENT_TYPES:
        abort(404)
    try:
        text = game_repository.export(archive(), game_id, form)
    except ArchiveError:
        abort(404)
    headers = {"Content-Disposition": f"attachment; filename=courtside-{game_id}.{'txt' if form == 'record' else form}"}
    return Response(text, content_type=_CONTENT_TYPES[form], headers=headers)


@blueprint.post("/history/import")
@takes_upload(2 * _MAX_BYTES)
def import_game() -> AnyResponse:
    """Imports a record."""
    upload = request.files.get("record")
    data = upload.stream.read(_MAX_BYTES + 1) if upload else b""
    try:
        if len(data) > _MAX_BYTES:
            raise ArchiveError(gettext("This file is too large to be a game record."))
        game_id = game_repository.import_record(archive(), data.decode("utf-8-sig", "replace"))
    except CourtsideError as error:
        line = getattr(error, "line", None)
        where = gettext("Line %(line)s", line=line) + ": " if line else ""
        flash(whole_sentence(where + refusal(error)))
    except game_repository.AlreadyArchived as known:
        flash(gettext("This game is already in your history. Here it is."))
        return redirect(url_for("history.game", game_id=known.game_id), 303)
    except ArchiveError as error:
        flash(str(error))
    else:
        return redirect(url_for("history.game", game_id=game_id), 303)
    return redirect(url_for("history.page"), 303)


@blueprint.post("/history/<game_id>/delete")
@needs(Right.MANAGE)
def delete(game_id: str) -> AnyResponse:
    """Deletes a game permanently, unless it is being played."""
    if not _refuse_if_played(game_id):
        try:
            archive().delete(game_id)
        except ArchiveError as error:
            flash(str(error))
    return redirect(url_for("history.page"), 303)


@blueprint.post("/history/<game_id>/restore")
@needs(Right.MANAGE)
def restore(game_id: str) -> AnyResponse:
    """Restores a damaged game from a backup."""
    if _refuse_if_played(game_id):
        return redirect(url_for("history.page"), 303)
    try:
        found = restore_games(archive(), game_id)
    except ArchiveError as error:
        flash(str(error))
        found = []
    app_state().past.replays.forget(archive())
    if not found:
        return redirect(url_for("history.page"), 303)
    day = day_text(found[0].backup.day)
    flash(gettext("The game is restored from the backup of %(day)s.", day=day))
    return redirect(url_for("history.game", game_id=game_id), 303)


@blueprint.post("/history/<game_id>/save")
@needs(Right.MANAGE)
def save(game_id: str) -> AnyResponse:
    """Copies the readable part of a damaged game to a new one that can continue."""
    try:
        new = game_repository.copy_readable_part(archive(), game_id)
    except ArchiveError as error:
        flash(str(error))
        return redirect(url_for("history.page"), 303)
    flash(gettext("The readable part is saved as a separate game."))
    return redirect(url_for("history.game", game_id=new), 303)


def _is_on_the_table(game_id: str) -> bool:
    running = app_state().session.running
    return running is not None and running.id == game_id


def _refuse_if_played(game_id: str) -> bool:
    """Whether the game is being played now; if so, the next page says that it cannot be changed."""
    if _is_on_the_table(game_id):
        flash(gettext("This game is still being played. Start another game first."))
    return _is_on_the_table(game_id)


def _backup_day(game_id: str) -> str | None:
    """The date of the evening whose backup has this game intact, in the visitor's language."""
    backup = newest_intact_backup(archive(), game_id)
    return None if backup is None else day_text(backup.day)
