"""The page a phone opens to be the camera, and the pictures it sends."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request

from companion.camera.phone import MOST_BYTES, Refused
from companion.i18n.languages import gettext
from companion.i18n.words_said import refusal, whole_sentence
from companion.web.app_state import app_state
from companion.web.costs import takes_upload
from companion.web.pairing import Right
from companion.web.security import needs

blueprint = Blueprint("phone", __name__)


@blueprint.get("/phone")
@needs(Right.SEND_PICTURES)
def page() -> str:
    """Starts the phone's camera and sends its pictures."""
    watcher = app_state().watcher
    wanted = watcher is not None and watcher.source == "phone"
    return render_template("phone.html", wanted=wanted, secure=request.is_secure or current_app.config["OPEN_HOUSE"])


@blueprint.post("/phone/picture")
@takes_upload(MOST_BYTES)
@needs(Right.SEND_PICTURES)
def picture() -> tuple[str, int]:
    """One JPEG. 204 when it was taken; 409 when no game is watched through a phone; 413 and 422 with a
    sentence for whoever holds the phone."""
    here = app_state()
    if here.watcher is None or here.watcher.source != "phone":
        return "", 409
    if request.mimetype != "image/jpeg" or (request.content_length or 0) > MOST_BYTES:
        return gettext("The picture is no JPEG, or too large."), 413
    try:
        here.phone_gate.take(request.get_data(cache=False))
    except Refused as error:
        return whole_sentence(refusal(error)), 422
    return "", 204
