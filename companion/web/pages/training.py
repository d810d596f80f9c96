"""Training with past games: find the better move, and what-if with other dice or cards."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.advice.review import Puzzle, puzzles
from companion.advice.review_queue import Progress
from companion.advice.what_if import TurnVariation
from companion.plugins import plugin
from companion.web.pages.archived import past_game, reviewed
from companion.web.pages.boards import past_board
from companion.web.request_costs import takes_long
from companion.web.sentences import GamePlayers, refusal, whole_sentence
from engine.advice.deadline import Expired
from engine.errors import CourtsideError
from engine.names import called
from engine.replay import Replay

blueprint = Blueprint("training", __name__)
_PUZZLE_WAIT_SECONDS = 0.8  # seconds a page waits for the first puzzle
_ANSWER_SECONDS = 4.0  # time limit for computing one answer


@blueprint.get("/history/<game_id>/training")
def page(game_id: str) -> str | Response:
    """The first instructive moment, or the progress of the search."""
    replay, progress = reviewed(game_id)
    found = _puzzles(replay, progress)
    deadline = time.monotonic() + _PUZZLE_WAIT_SECONDS
    while not found and not progress.ended and (seconds_left := deadline - time.monotonic()) > 0:
        progress.wait(progress.parts + 1, seconds_left)
        found = _puzzles(replay, progress)
    if found:
        return redirect(url_for("training.puzzle", game_id=game_id, number=found[0].line.number), 303)
    template = "training_sought.html" if "X-Fragment" in request.headers else "training_none.html"
    return render_template(template, game_id=game_id, replay=replay, progress=progress)


@blueprint.get("/history/<game_id>/training/<int:number>")
def puzzle(game_id: str, number: int) -> str:
    """One moment as a puzzle. `try` (0, 1, …) is the answer tried; after that the page shows the value of each
    answer and what was played."""
    replay, progress = reviewed(game_id)
    found = _puzzles(replay, progress)
    while not progress.ended and number <= progress.events and progress.reviewed_events < number:
        progress.wait(progress.parts, _PUZZLE_WAIT_SECONDS)  # the address is an old one
        found = _puzzles(replay, progress)
    place = next((place for place, one in enumerate(found) if one.line.number == number), None)
    if place is None:
        abort(404)
    tried = request.args.get("try", default=-1, type=int)
    return render_template(
        "training.html",
        game_id=game_id,
        game_players=GamePlayers.of(replay.record),
        replay=replay,
        puzzle=found[place],
        place=place + 1,
        count=len(found),
        before=found[place - 1].line.number if place else None,
        after=found[place + 1].line.number if place + 1 < len(found) else None,
        progress=progress,
        tried=tried if 0 <= tried < len(found[place].choices) else None,
        board=past_board(replay, number - 1, advised=False),
        situation=plugin(replay.game.ID).template("situation"),
    )


@blueprint.get("/history/<game_id>/whatif/<int:moment>")
@takes_long(unless=lambda query, fragment: not fragment and not query)
def what_if(game_id: str, moment: int) -> str:
    """The turn after this many events, with other dice or cards: odds and advice."""
    replay = past_game(game_id).replay
    if moment >= len(replay.states):
        abort(404)
    state, notice, found = replay.states[moment], "", None
    game_what_if = plugin(replay.game.ID).what_if
    if game_what_if is None:
        abort(404)
    players = GamePlayers.of(replay.record)
    unchanged = game_what_if.unchanged(state)
    requested = _requested_values(unchanged) if request.args else unchanged
    if requested is not None:
        deadline = time.monotonic() + _ANSWER_SECONDS
        try:
            found = game_what_if.evaluate(game_what_if.changed(state, requested), lambda: time.monotonic() > deadline)
        except CourtsideError as error:
            notice = whole_sentence(refusal(error, players))
        except Expired:
            notice = ""
    template = "whatif_found.html" if "X-Fragment" in request.headers else "whatif.html"
    return render_template(
        template,
        game_id=game_id,
        game_players=players,
        replay=replay,
        moment=moment,
        name="" if state.finished else replay.record.name(state.seat),
        round=state.round,
        requested=requested,
        unchanged=unchanged,
        found=found,
        notice=notice,
        cards=game_what_if.cards,
    )


def _requested_values(unchanged: TurnVariation | None) -> TurnVariation | None:
    """`was` with the values of the form in place of its own, where the form has them."""
    if unchanged is None:
        return None
    fields: dict[str, Any] = {}
    for name in ("active", "kept"):
        if name in request.args:
            fields[name] = tuple(int(face) for face in request.args[name] if face in "123456")[:18]
    if "cards" in request.args:
        fields["cards"] = tuple(card for card in request.args.getlist("cards") if called(card))
    if request.args.get("throws", "").isdecimal():
        fields["throws"] = int(request.args["throws"][:2])
    return replace(unchanged, **fields)


def _puzzles(replay: Replay, progress: Progress) -> list[Puzzle]:
    lines = past_board(replay, len(replay.states) - 1).lines
    return puzzles(replay, lines, progress.review)
