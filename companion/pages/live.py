"""News for open pages: one event stream each, and the picture frame by frame."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flask import Blueprint, Response, abort, current_app, request

from companion.news import News
from companion.room import room

blueprint = Blueprint("live", __name__)
_HEARTBEAT_SECONDS = 10.0


@blueprint.get("/events")
def stream() -> Response:
    """Server-sent events: `change` when the board is new, `picture` when a picture is; both say only which.

    A viewer that was away misses nothing: whatever it knows, the first message tells it what is newest.
    """
    places = current_app.extensions.get("stream_places")
    if places is not None and not places.take():
        abort(503)
    response = Response(_news(room().news), mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
    if places is not None:
        response.call_on_close(places.leave)
    return response


def _news(news: News) -> Iterator[str]:
    yield "retry: 1000\n\n"
    known = None
    while not news.closed:
        newest = news.after(known, _HEARTBEAT_SECONDS)
        if newest is None:
            yield ": still here\n\n"  # finds out whether the viewer has gone
            continue
        if known is None or newest.board != known.board:
            yield _event("change", version=newest.board)
        if newest.picture and (known is None or newest.picture != known.picture):
            yield _event("picture", number=newest.picture)
        known = newest


def _event(kind: str, **values: int | str) -> str:
    return f"event: {kind}\ndata: {json.dumps(values)}\n\n"


@blueprint.get("/picture")
def picture() -> Response | tuple[str, int]:
    """The newest picture as JPEG, encoded once for all viewers; what was read in it is in the header X-Seen."""
    shown = room().picture()
    if shown is None:
        return "", 204
    if request.args.get("after", type=int, default=0) >= shown.number:
        return "", 204
    return Response(shown.jpeg, mimetype="image/jpeg", headers={"X-Seen": shown.seen})
