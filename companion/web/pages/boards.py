"""The board as HTML, alone or in its page, rendered once for all viewers with the same view."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from typing import Any

from flask import Response, current_app, make_response, render_template, request, session
from markupsafe import Markup

from companion.advice.ending import ending
from companion.game.changes import Change, Line
from companion.game.record_line import RecordLine
from companion.game.session import RunningGame
from companion.game.table import Table
from companion.games.parts import GameSnapshot, Problem
from companion.i18n.languages import chosen_language, current_language, gettext
from companion.plugins import plugin
from companion.web.app_state import AppState, app_state
from companion.web.event_words import spoken_line
from companion.web.pairing import Right, Visitor
from companion.web.security import render_shared, visitor, with_own_token, without_token
from companion.web.sentences import GamePlayers, sentence, victory
from companion.web.view_models.moments import Moment, latest_moment
from engine.replay import Replay

MAX_BOARD_LINES = 20  # lines of the record on the board itself, which is sent with every change
Board = Any
"""What a game's `view.make_board` made, for its own templates."""
MakeContext = Callable[[], dict[str, Any]]
# Placeholders for a board's version and the board itself; random, so that no user text contains them.
_VERSION, _BOARD = (secrets.token_urlsafe(24) for _ in range(2))


def board_context(app: AppState) -> dict[str, Any]:
    """The context of the table's templates."""
    game = app.session.running
    assert game is not None
    version = app.session.board_version()
    board = app.caches.boards.get_or_compute(version, lambda: _scoreboard(app, game, version))
    table, viewer, card_messages = game.table, visitor(), app.cameras.cards.watch.messages
    game_plugin = plugin(table.record.game.ID)
    moment = latest_moment(table.lines, table.replay.states, game_plugin.view.moment)
    may_undo = _may_apply(viewer, table.to_undo)
    players = GamePlayers.of(table.record)
    return {
        "board": board,
        "game_players": players,
        "board_template": game_plugin.template("board"),
        "advice_note": game_plugin.view.advice_note(),
        "game_plugin": game_plugin,
        "notices": [sentence(notice, players) for notice in table.notices],
        "may_play": viewer.may(Right.ENTER),
        "may_undo": may_undo,
        "may_redo": _may_apply(viewer, table.to_redo),
        "may_answer": {
            question.number for question in table.questions if all(map(viewer.may_enter_for, table.seats_of(question)))
        },
        "moment": moment,
        "moment_undo": moment is not None and may_undo and _undoes(table.to_undo, moment),
        "card_questions": [one for one in card_messages.questions if str(one.sentence) not in game.skipped],
        "announcement": announcement_of(board, players, moment),
        "spoken": not _is_correction(table),
        "advice_when": app.advisor.when,
        "advice_times": _advice_times(),
        "advice_calculating": app.advisor.calculating(),
        "advice_for": _advice_for(app),
        "demo": _demo(app, game),
        "demo_sentences": _demo_sentences(),
        "demo_longest": max(_demo_sentences().values(), key=len),
        "ending": ending(table.replay) if board.winner else None,
        "turning": app.advisor.turning_point() if board.winner else None,
        "game_id": game.id,
        "card_messages": card_messages,
        "message_frame": app.cameras.cards.watch.message_frame,
        "camera": None if app.cameras.watcher is None else app.cameras.watcher.state,
    }


def _demo(app: AppState, game: RunningGame) -> str:
    """Key in `_demo_sentences` of what has just happened in the bundled film, `over` at its end, "" for other games."""
    if app.cameras.demo is None or not app.cameras.demo_game:
        return ""
    if app.cameras.demo.ended:
        return "over"
    lines = game.table.lines
    verb = lines[-1].event.split()[1] if lines else ""
    return verb if verb in _demo_sentences() else "start"


def _demo_sentences() -> dict[str, str]:
    """Explanations of the bundled film for first-time viewers, by the verb of the last event."""
    return {
        "start": gettext(
            "This is a film of a table, read the way yours will be. Watch the dice, and see what is entered here."
        ),
        "roll": gettext("The dice are still. The camera has read the roll and entered it."),
        "keep": gettext("Dice moved to the strip on the mat are set aside."),
        "use": gettext("A die was turned by hand. The camera worked out which card was used."),
        "buy": gettext("A player tapped a card on this page. It is bought, and the turn is over."),
    }


def _may_apply(viewer: Visitor, change: Change | None) -> bool:
    return change is not None and all(map(viewer.may_enter_for, change.seats))


def _undoes(change: Change | None, moment: Moment) -> bool:
    """Whether undoing this change undoes the announced event."""
    return change is not None and moment.number in {line.number for line in (*change.was, *change.now)}


def _advice_for(app: AppState) -> tuple[str, bool | None] | None:
    """Name of the player whose last decision is shown with its advice, and whether they followed it."""
    known = app.advisor.last_decision()
    return None if known is None else (dict(app.session.seats()).get(known[0], known[0]), known[1])


def audience() -> str:
    """Key of all viewers with the same view: language, rights, seats."""
    viewer = visitor()
    return f"{chosen_language()}.{viewer.rights.value}.{''.join(sorted(viewer.seats))}"


def full_page(template: str, make_context: MakeContext | None = None, key: str = "", **context: Any) -> str:
    """A page with the newest board. `context` is the rest of its template's context.

    Board and page are rendered once for each audience; only the CSRF token differs.
    """
    app = app_state()
    assert app.session.running is not None
    app.cameras.start_film_for_viewer()
    version, board = _render_board(app, make_context, key)

    def render() -> str:
        return render_template(template, board_version=_VERSION, board_html=_BOARD, audience=audience(), **context)

    if request.query_string or "_flashes" in session:
        page = render()
    else:
        view = (app.session.running.serial, request.path, audience(), *context.values())
        page = app.caches.pages.get_or_compute(view, lambda: render_shared(render))
    return with_own_token(page.replace(_VERSION, version).replace(_BOARD, board))


def board_response(app: AppState, notice: str = "", make_context: MakeContext | None = None, key: str = "") -> Response:
    """A board alone, with its version in X-Version. `key` distinguishes boards that show the same game differently."""
    if app.session.running is None:
        return make_response("", 404, {"X-Version": app.session.board_version()})
    version, board = _render_board(app, make_context, key, notice)
    response = make_response(without_token(board))
    response.headers["X-Version"] = version
    return response


def _render_board(app: AppState, make_context: MakeContext | None, key: str, notice: str = "") -> tuple[str, str]:
    """Version and HTML of the newest board, rendered once for each audience; a notice is for one visitor only."""
    version = app.session.board_version()

    def render() -> str:
        context = make_context() if make_context else board_context(app)
        return render_shared(lambda: render_template(context["board_template"], **context | {"notice": notice}))

    return version, render() if notice else app.caches.pages.get_or_compute((version, key, audience()), render)


def render_lines(
    lines: Iterable[RecordLine], may_play: bool, game_id: str | None = None, roll_images: Container[int] = ()
) -> Markup:
    """Events of the record as HTML, cached because most of a new board's lines were on the previous one.

    Args:
        game_id: The game that has the images of the lines in `roll_images`.
    """
    cache, language = app_state().caches.record_lines, current_language()
    template = current_app.jinja_env.get_template("record_line.html")

    def render(line: RecordLine) -> str:
        image_game = game_id if line.number in roll_images else None
        return cache.get_or_compute(
            (line, language, may_play, image_game),
            lambda: template.render(line=line, may_play=may_play, game_id=image_game),
        )

    return Markup("\n".join(map(render, lines)))


def past_board(replay: Replay, moment: int, advised: bool = True) -> Board:
    """A past game after this many events, arranged by the same code as a current one."""
    lines = [
        Line(n, f"{entry.seat} {replay.game.event_text(entry.event)}", entry.by or "person", entry.confidence)
        for n, entry in enumerate(replay.record.entries[:moment], 1)
    ]
    shown = GameSnapshot(str(moment), replay.states[moment], replay.record.players, lines, advised=advised)
    return plugin(replay.game.ID).view.make_board(shown)


def _advice_times() -> list[tuple[str, str]]:
    """The choices of when advice is shown."""
    return [("off", gettext("off")), ("after", gettext("afterwards")), ("now", gettext("always"))]


def _scoreboard(app: AppState, game: RunningGame, version: str) -> Board:
    table, view = game.table, plugin(game.table.record.game.ID).view
    shown = GameSnapshot(
        version,
        table.preview_state,
        table.record.players,
        table.lines,
        questions=[
            replace(one, matters=one.matters and str(one.number) not in game.skipped) for one in table.questions
        ],
        problem=_problem(table),
        chances=app.advisor.chances(),
        seen=table.in_sight if view.all_dice else table.reading.dice if table.reading else (),
        advised=app.advisor.when == "now",
    )
    return view.make_board(shown)


def _problem(table: Table) -> Problem | None:
    broken = table.broken
    if broken is None:
        return None
    line = table.lines[broken.index]
    return Problem(line.number, line.event, broken.reason)


def _is_correction(table: Table) -> bool:
    """Whether the last change corrected earlier events, which are not announced again."""
    changes = table.changes
    return bool(changes) and changes[-1].kind not in ("enter", "insert")


def announcement_of(board: Board, players: GamePlayers, moment: Moment | None = None) -> str:
    """The latest event in one sentence, for the live region and the voice."""
    if board.winner:
        return victory(board, plugin(players.game).view.crown)
    if board.questions:
        return sentence(board.questions[-1].sentence, players)
    if moment and board.lines and board.lines[-1].number == moment.number:
        return sentence(moment.sentence, players)
    return f"{board.lines[-1].name}: {spoken_line(board.lines[-1])}" if board.lines else ""
