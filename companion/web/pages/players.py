"""Statistics of players over all evenings, a season or an evening: the table, the dice, and a page for each player."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flask import Blueprint, abort, render_template, request

from companion.advice.achievements import Career, Earned, careers, earned_in
from companion.advice.statistics import Fairness, fairness_of
from companion.archive.club import Rating, rankings
from companion.archive.database import ArchiveError
from companion.archive.players import (
    Period,
    PlayerStatistics,
    evening_of,
    face_counts,
    finished,
    player_key,
    player_statistics,
)
from companion.archive.summary import Summary
from companion.web.app_state import app_state
from companion.web.statistics_cache import cached_statistic
from engine.games import GAME_IDS

blueprint = Blueprint("players", __name__)
_MAX_EVENINGS = 30  # evenings offered; older ones are found by their season


@dataclass(frozen=True, slots=True)
class _PeriodStatistics:
    """Statistics of the finished games of a period. `games` are intact ones, each once, in the order they started."""

    games: list[Summary]
    players: list[PlayerStatistics]
    ratings: dict[str, Rating]
    reviewed: int
    fairness: Fairness
    evenings: list[date]
    careers: dict[str, Career]


@blueprint.get("/players")
def page() -> str:
    """The table of players, for all evenings or for the requested period."""
    games, notice = _games(app_state().past.replays.page_wait)
    period = _period()
    everything, counted = _statistics(games, Period()), _statistics(games, period)
    return render_template(
        "players.html",
        players=counted.players,
        ratings=counted.ratings,
        player_key=player_key,
        games=len(counted.games),
        reviewed=counted.reviewed,
        fairness=counted.fairness,
        evenings=everything.evenings[:_MAX_EVENINGS],
        years=sorted({evening.year for evening in everything.evenings}, reverse=True),
        period=period,
        of=request.args.get("of", ""),
        kinds=sorted({game.game for game in everything.games}),
        last=counted.games[-1] if period.evening and counted.games else None,
        notice=notice,
        unread=_unread(games),
        kept=app_state().past.archive is not None,
    )


@blueprint.get("/players/one")
def one() -> str:
    """One player, `name`: wins, luck and decisions, dice, cards, head-to-head results."""
    name_key = player_key(request.args.get("name", ""))
    # Second try: an unknown player may be in a game that has not been read.
    for seconds in (app_state().past.replays.page_wait, None):
        past = _games(seconds)[0]
        everything = _statistics(past, Period())
        found = next((player for player in everything.players if player_key(player.name) == name_key), None)
        if found is not None:
            games = [game for game in everything.games if name_key in map(player_key, game.players)]
            return render_template(
                "one_player.html",
                player=found,
                career=everything.careers[name_key],
                fairness=fairness_of(found.thrown),
                games=games[::-1][:12],
                player_key=player_key,
                unread=_unread(past),
            )
    abort(404)


def earned(game_id: str | None) -> list[Earned]:
    """Achievements and winning streaks that the players of an archived game earned in it."""
    games = [] if game_id is None else _games(app_state().past.replays.page_wait)[0]
    found = cached_statistic(games, ("earned", game_id), lambda ended: earned_in(finished(ended), game_id or ""))
    return [one for one in found if one.awards or one.streak > 1]


def _statistics(games: list[Summary], period: Period) -> _PeriodStatistics:
    """The statistics, computed once until another game is finished or reviewed."""

    def count(ended: list[Summary]) -> _PeriodStatistics:
        counted = finished(ended, period)
        return _PeriodStatistics(
            counted,
            player_statistics(counted),
            _ratings(counted) if period.game else {},
            sum(game.facts.is_reviewed for game in counted),
            fairness_of(face_counts(counted)),
            sorted({evening_of(game) for game in counted}, reverse=True),
            careers(counted),
        )

    return cached_statistic(games, period, count)


def _games(seconds: float | None) -> tuple[list[Summary], str]:
    """All games read within this many seconds (None: all), and what is wrong with the archive."""
    app = app_state()
    if app.past.archive is None:
        return [], ""
    try:
        return app.past.replays.summaries(app.past.archive, seconds), ""
    except ArchiveError as error:
        return [], str(error)


def _unread(games: list[Summary]) -> bool:
    """Whether there are games that have not been read yet."""
    return any(game.pending for game in games)


def _ratings(games: list[Summary]) -> dict[str, Rating]:
    """Ratings, which are meaningful for one kind of game only."""
    return {
        player_key(one.name): one.rating
        for ranking in rankings(games).values()
        for one in ranking
        if one.rating is not None
    }


def _period() -> Period:
    """The period from the query: `of`, a year, the date of an evening, or empty for all; `game`, the id of one."""
    of, game = request.args.get("of", ""), request.args.get("game", "")
    game = game if game in GAME_IDS else ""
    try:
        if of.isdecimal() and len(of) == 4:
            return Period.of_year(int(of), game)
        return Period.of_evening(date.fromisoformat(of), game) if of else Period(game=game)
    except ValueError:
        abort(404)
