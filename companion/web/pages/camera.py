"""The camera page: choose a camera, see its image, draw the areas for dice, check its status."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.camera.checklist import SLOW_RATE, checklist
from companion.camera.failure_report import pack_report, reading_fields
from companion.camera.worker import Watcher
from companion.i18n.languages import gettext
from companion.web.app_state import app_state
from companion.web.pages.invitation import reachable
from companion.web.pairing import Right
from companion.web.security import needs
from vision.sources.devices import devices
from vision.table.layout import DrawnAreas
from vision.table.mat import Polygon

blueprint = Blueprint("camera", __name__)
# Default areas: a band along the lower edge for kept dice, the rest for rolling; corners clockwise from the top left.
# On a phone, where a picture is 366 × 183 pixels, all corners are a fingertip apart.
_ROLLING: Polygon = ((0.08, 0.08), (0.92, 0.08), (0.92, 0.6), (0.08, 0.6))
_KEPT: Polygon = ((0.21, 0.69), (0.79, 0.69), (0.79, 0.94), (0.21, 0.94))


@blueprint.get("/camera")
@needs(Right.MANAGE)
def page() -> str:
    """The camera page."""
    app = app_state()
    drawn = app.cameras.areas
    return render_template(
        "camera.html",
        watching=app.cameras.watcher is not None,
        source=current_source(),
        cameras=devices(),
        drawn=drawn is not None,
        rolling=drawn.rolling if drawn else _ROLLING,
        kept=drawn.kept if drawn else _KEPT,
        link=app.invitation_link("camera"),
        reachable=reachable(),
    )


@blueprint.post("/camera/source")
def choose() -> AnyResponse:
    """Switches to another camera."""
    source = chosen_source()
    app_state().cameras.watch(source)
    return redirect(url_for("camera.page"), 303)


@blueprint.post("/camera/turn")
def turn() -> AnyResponse:
    """Rotates the images, and the areas drawn in them, by 180 degrees."""
    app = app_state()
    app.cameras.rotate()
    if app.cameras.watcher is not None:
        app.cameras.watch(app.cameras.watcher.source)
    return redirect(url_for("camera.page"), 303)


def current_source() -> str:
    """The current source, as the form names it."""
    watcher = app_state().cameras.watcher
    return watcher.public_source if watcher else "none"


def chosen_source() -> str:
    """The source chosen in the form: numbers of cameras, the phone or none. A request never contains a path."""
    source = request.form.get("source", "")
    if source not in ("none", "phone") and not (source.isascii() and source.isdigit() and int(source) < 64):
        abort(400)
    return source


@blueprint.post("/camera/areas")
def areas() -> AnyResponse:
    """Uses the areas drawn on the page, or the printed mat again."""
    app = app_state()
    if request.form.get("what") == "mat":
        app.cameras.draw_areas(None)
    else:
        try:
            app.cameras.draw_areas(DrawnAreas(polygon("rolling"), polygon("kept")))
        except ValueError:
            flash(gettext("Keep both areas inside the picture."))
    return redirect(url_for("camera.page"), 303)


def polygon(field: str) -> Polygon:
    """A field `0.1,0.2 0.9,0.2 …` → corners.

    Raises:
        ValueError: It is not a polygon.
    """
    words = request.form.get(field, "")[:2000].split()
    return tuple((float(x), float(y)) for x, _, y in (word.partition(",") for word in words))


@blueprint.get("/camera/state")
@needs(Right.MANAGE)
def state() -> str:
    """The camera status in words."""
    return render_template("camera_state.html", log_file=app_state().log_file, **camera_state())


def camera_state() -> dict[str, Any]:
    """The context of `camera_state.html` and the phone's guide. `computer_slow`: images come faster than this
    computer reads them."""
    cameras = app_state().cameras
    watcher = cameras.watcher
    health = watcher.health() if watcher else None
    steps = checklist(watcher.state.word in ("looking", "ended"), health) if watcher and health else []
    return {
        "watcher": watcher,
        "health": health,
        "checklist": steps,
        "ready": bool(steps and watcher and not watcher.state.why) and all(step.done for step in steps),
        "computer_slow": watcher is not None and _sends_enough_images(watcher),
    }


def _sends_enough_images(watcher: Watcher) -> bool:
    """Whether this source is known to send enough images: a phone that does, or a film, which needs no light."""
    if watcher.source == "phone":
        return watcher.phone.rate >= SLOW_RATE
    return not watcher.source.isdigit() and "://" not in watcher.source


@blueprint.get("/camera/clip")
@needs(Right.MANAGE)
def clip() -> Response:
    """Download of a problem report with the last seconds of the camera."""
    app = app_state()
    watcher = app.cameras.watcher
    kept = watcher.recent.frames() if watcher else []
    if watcher is None or not kept:
        abort(404)
    kind = "stream" if "://" in watcher.source else "phone" if watcher.source == "phone" else "camera or file"
    areas = app.cameras.areas
    settings = {
        "source": kind,
        "upside_down": app.cameras.upside_down,
        "areas": {"rolling": areas.rolling, "kept": areas.kept} if areas else None,
    }
    file = pack_report([(jpeg, reading_fields(reading)) for jpeg, reading in kept], settings, app.cameras.model)
    headers = {"Content-Disposition": "attachment; filename=courtside-report.zip"}
    return Response(file, mimetype="application/zip", headers=headers)
