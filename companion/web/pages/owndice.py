"""Corrects an image of the players' own dice, for training the reader."""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.i18n.languages import gettext
from companion.web.app_state import app_state
from companion.web.pages.owncards import numbered_picture
from companion.web.pairing import Right
from companion.web.security import needs
from vision.sources.header import read_header
from vision.types import SeenDie

blueprint = Blueprint("owndice", __name__)
_NOT_A_DIE = "none"


def _size(jpeg: bytes) -> tuple[int, int]:
    """(width, height) of an image encoded here."""
    header = read_header(jpeg)
    assert header is not None
    return header.width, header.height


@blueprint.get("/camera/dice")
@needs(Right.MANAGE)
def page() -> str:
    """The newest image with resting dice and the value read for each."""
    watcher = app_state().cameras.watcher
    newest = None if watcher is None else watcher.recent.settled()
    if newest is None:
        return render_template("owndice.html", reading=None)
    jpeg, reading = newest
    width, height = _size(jpeg)
    return render_template(
        "owndice.html",
        reading=reading,
        number=app_state().cameras.own_dice.add_pending(jpeg, reading),
        width=width,
        height=height,
        saved=len(app_state().cameras.own_dice),
        likeliest=likeliest,
    )


def likeliest(die: SeenDie) -> list[int]:
    """The six values: the one read first, then the likeliest confusions."""
    return sorted(range(1, 7), key=lambda value: -die.probabilities[value - 1])


@blueprint.get("/camera/dice/<int:number>.jpg")
@needs(Right.MANAGE)
def picture(number: int) -> Response:
    """The image with this number."""
    kept = app_state().cameras.own_dice.pending(number)
    if kept is None:
        abort(404)
    return numbered_picture(kept[0])


@blueprint.post("/camera/dice")
def save() -> AnyResponse:
    """Saves the image with the chosen values."""
    kept = app_state().cameras.own_dice.pending(request.form.get("picture", type=int))
    if kept is None:
        flash(gettext("This picture is no longer available. Correct the latest one."))
        return redirect(url_for("owndice.page"), 303)
    jpeg, reading = kept
    chosen = [request.form.get(f"die-{number}", "") for number in range(len(reading.dice))]
    if any(word != _NOT_A_DIE and word not in ("1", "2", "3", "4", "5", "6") for word in chosen):
        abort(400)
    dice = [(die.xyxy, int(word)) for die, word in zip(reading.dice, chosen, strict=True) if word != _NOT_A_DIE]
    own = app_state().cameras.own_dice
    try:
        own.save(jpeg, _size(jpeg), dice)
    except OSError as error:
        flash(gettext("The picture could not be saved: %(why)s", why=error.strerror or str(error)))
    else:
        flash(gettext("Saved. Pictures of your own dice are in %(folder)s", folder=str(own.folder)))
    return redirect(url_for("owndice.page"), 303)
