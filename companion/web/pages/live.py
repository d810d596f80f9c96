"""Updates for open pages: the event stream, and the camera image frame by frame."""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint, Response, jsonify, request

from companion.game.turn_clock import turn_limit
from companion.web.app_state import app_state
from companion.web.pages.boards import audience

blueprint = Blueprint("live", __name__)


@blueprint.get("/events")
def stream() -> Response:
    """Admits a visitor to the event stream and says for whom boards are rendered; `event_streams` does the rest."""
    return Response("", mimetype="text/event-stream", headers={"X-Accel-Buffering": "no", "X-Audience": audience()})


@blueprint.get("/turn")
def turn() -> Response:
    """The duration of the running turn as JSON; {} in a game without a limit, {"over": true} after its end."""
    app = app_state()
    running = app.session.running
    now = None if running is None else app.turn_clock.time(running)
    if now is not None:
        return jsonify(asdict(now))
    return jsonify({"over": True} if running is not None and turn_limit(running.table.record) else {})


@blueprint.get("/picture")
def picture() -> Response | tuple[str, int]:
    """The newest camera image as JPEG, encoded once for all viewers; its reading is in the header X-Seen."""
    shown = app_state().cameras.picture()
    if shown is None:
        return "", 204
    if request.args.get("after", type=int, default=0) >= shown.number:
        return "", 204
    return Response(shown.jpeg, mimetype="image/jpeg", headers={"X-Seen": shown.seen})
