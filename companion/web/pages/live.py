"""Updates for open pages: the event stream, and the camera image frame by frame."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.web.app_state import app_state
from companion.web.pages.showing import audience

blueprint = Blueprint("live", __name__)


@blueprint.get("/events")
def stream() -> Response:
    """Admits a visitor to the event stream and says for whom boards are rendered; `event_streams` does the rest."""
    return Response("", mimetype="text/event-stream", headers={"X-Accel-Buffering": "no", "X-Audience": audience()})


@blueprint.get("/picture")
def picture() -> Response | tuple[str, int]:
    """The newest camera image as JPEG, encoded once for all viewers; its reading is in the header X-Seen."""
    shown = app_state().cameras.picture()
    if shown is None:
        return "", 204
    if request.args.get("after", type=int, default=0) >= shown.number:
        return "", 204
    return Response(shown.jpeg, mimetype="image/jpeg", headers={"X-Seen": shown.seen})
