"""The club page over all its tables: games in progress, and the season's ranking, duels and evenings."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.archive.club import League, league, running, season_of, set_season
from companion.archive.database import ArchiveError
from companion.archive.players import Period
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.i18n.languages import gettext
from companion.web.app_state import app_state
from companion.web.statistics_cache import cached_statistic

blueprint = Blueprint("club", __name__)
_MAX_EVENINGS = 12


@blueprint.get("/club")
def page() -> str:
    """The club page or its changing part; 404 if the archive is this computer's own.

    `of=all` asks for all games ever played instead of the season's.
    """
    return _render()


@blueprint.post("/club/season")
def season() -> Response | tuple[str, int]:
    """Sets the first and last day of the season for all tables; each may be omitted."""
    try:
        begins, ends = (_day(request.form.get(field, "")) for field in ("begins", "ends"))
    except ValueError:
        abort(400)
    if begins and ends and ends < begins:
        return _render(gettext("A season cannot end before it begins.")), 400
    try:
        set_season(_archive(), Period(begins, ends))
    except ArchiveError as error:
        return _render(str(error)), 503
    return redirect(url_for("club.page"), 303)


def _render(notice: str = "") -> str:
    archive, past = _archive(), app_state().past
    games: list[Summary] = []
    period = Period()
    try:
        games, period = past.replays.summaries(archive, past.replays.page_wait), season_of(archive)
    except ArchiveError as error:
        notice = str(error)
    everything = request.args.get("of") == "all"
    counted = Period() if everything else period
    found: League = cached_statistic(games, ("league", counted), lambda ended: league(ended, counted))
    template = "club_found.html" if "X-Fragment" in request.headers else "club.html"
    session = app_state().session.running
    return render_template(
        template,
        tables=running(games),
        here=session.id if session else None,
        season=period,
        everything=everything,
        league=found,
        most_evenings=_MAX_EVENINGS,
        notice=notice,
    )


def _archive() -> Archive:
    archive = app_state().past.archive
    if archive is None or not archive.shared:
        abort(404)
    return archive


def _day(typed: str) -> date | None:
    """The date typed into a field; None if it is empty. Raises ValueError."""
    return date.fromisoformat(typed) if typed else None
