"""Players over all evenings, or over one season or one evening: the table, the dice, and each player's own page."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, abort, render_template, request

from companion.advice.statistics import fairness_of
from companion.archive.club import Rating, members, person
from companion.archive.database import ArchiveError
from companion.archive.players import Period, evening_of, finished, lifetimes, thrown_in
from companion.archive.summary import Summary
from companion.web.app_state import app_state
from engine.games import GAME_IDS

blueprint = Blueprint("players", __name__)
_MOST_EVENINGS = 30  # to choose from; older ones are found by their season


@blueprint.get("/players")
def page() -> str:
    """The table of players, for all evenings or for the period asked for."""
    games, notice = _games()
    everything = finished(games)
    period = _period()
    counted = [game for game in everything if period.holds(game)]
    evenings = sorted({evening_of(game) for game in everything}, reverse=True)
    return render_template(
        "players.html",
        players=lifetimes(counted),
        ratings=_ratings(counted) if period.game else {},
        person=person,
        games=len(counted),
        weighed=sum(game.facts.weighed_already for game in counted),
        fairness=fairness_of(thrown_in(counted)),
        evenings=evenings[:_MOST_EVENINGS],
        years=sorted({evening.year for evening in evenings}, reverse=True),
        period=period,
        kinds=sorted({game.game for game in everything}),
        last=counted[-1] if period.evening and counted else None,
        notice=notice,
        kept=app_state().archive is not None,
    )


@blueprint.get("/players/one")
def one() -> str:
    """One player, `name`: wins, luck and decisions, dice, cards, and who beats whom."""
    who = person(request.args.get("name", ""))
    games = [game for game in finished(_games()[0]) if who in map(person, game.players)]
    found = next((player for player in lifetimes(games) if person(player.name) == who), None)
    if found is None:
        abort(404)
    return render_template(
        "one_player.html", player=found, fairness=fairness_of(found.thrown), games=games[::-1][:12], person=person
    )


def _games() -> tuple[list[Summary], str]:
    here = app_state()
    if here.archive is None:
        return [], ""
    try:
        return here.past.summaries(here.archive), ""
    except ArchiveError as error:
        return [], str(error)


def _ratings(games: list[Summary]) -> dict[str, Rating]:
    """Ratings tell something of one kind of game only."""
    return {
        person(one.name): one.rating for ranking in members(games).values() for one in ranking if one.rating is not None
    }


def _period() -> Period:
    """`of`: a year, an evening's date, or nothing for all; `game`: one of the two."""
    of, game = request.args.get("of", ""), request.args.get("game", "")
    game = game if game in GAME_IDS else ""
    if of.isdecimal() and len(of) == 4:
        return Period(year=int(of), game=game)
    try:
        return Period(evening=date.fromisoformat(of), game=game) if of else Period(game=game)
    except ValueError:
        abort(404)
