"""The page with which a phone becomes a camera, and the upload of its images."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.camera.checklist import SMALL_PIXELS
from companion.camera.phone import MAX_UPLOAD_BYTES, RejectedUpload
from companion.camera.worker import Watcher
from companion.i18n.languages import gettext
from companion.web.app_state import app_state
from companion.web.pages.camera import camera_state
from companion.web.pairing import Right
from companion.web.request_costs import takes_upload
from companion.web.security import needs
from companion.web.sentences import refusal, whole_sentence

blueprint = Blueprint("phone", __name__)


@blueprint.get("/phone")
@needs(Right.SEND_PICTURES)
def page() -> str:
    """Starts the phone's camera and sends its images; with `cards` for a phone that sees the cards only."""
    here = app_state()
    dice, cards = _is_phone(here.cameras.watcher), _is_phone(here.cameras.cards.watcher)
    of_cards = cards and ("cards" in request.args or not dice)
    return render_template("phone.html", of_cards=of_cards, both=dice and cards)


@blueprint.get("/phone/guide")
@needs(Right.SEND_PICTURES)
def guide() -> str:
    """The number of dice found in the phone's image and what to improve, for its own screen."""
    watcher = app_state().cameras.watcher
    found = watcher.page_outlines if watcher else {"dice": [], "areas": []}
    return render_template(
        "phone_guide.html",
        **camera_state(),
        found=found,
        small=SMALL_PIXELS,
        turned=app_state().cameras.upside_down,
    )


@blueprint.post("/phone/picture")
@takes_upload(MAX_UPLOAD_BYTES)
@needs(Right.SEND_PICTURES)
def picture() -> tuple[str, int]:
    """Receives one JPEG; with the query `cards`, an image of the cards.

    Returns 204 if accepted; 409 if no game uses a phone; 413 and 422 with a sentence for the phone's user.
    """
    cameras = app_state().cameras
    camera = cameras.cards.watcher if "cards" in request.args else cameras.watcher
    if camera is None or camera.source != "phone":
        return "", 409
    if request.mimetype != "image/jpeg" or (request.content_length or 0) > MAX_UPLOAD_BYTES:
        return gettext("The picture is not a JPEG or is too large."), 413
    try:
        camera.phone.accept(request.get_data(cache=False))
    except RejectedUpload as error:
        return whole_sentence(refusal(error)), 422
    return "", 204


def _is_phone(camera: Watcher | None) -> bool:
    return camera is not None and camera.source == "phone"
