"""The club page: tables with a game in progress, and players with results and ratings."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from companion.archive.club import members, running
from companion.archive.database import ArchiveError
from companion.web.app_state import app_state

blueprint = Blueprint("club", __name__)


@blueprint.get("/club")
def page() -> str:
    """The club page or its changing part; 404 if the archive is this computer's own."""
    archive = app_state().past.archive
    if archive is None or not archive.shared:
        abort(404)
    try:
        games, notice = app_state().past.replays.summaries(archive, app_state().past.replays.patience), ""
    except ArchiveError as error:
        games, notice = [], str(error)
    template = "club_found.html" if "X-Fragment" in request.headers else "club.html"
    return render_template(template, tables=running(games), rankings=members(games), notice=notice)
