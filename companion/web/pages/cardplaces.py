"""The page for the card areas: the cards for sale and each player's cards, drawn in the newest image or learned."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.camera.card_places import load_zones, save_zones, zone_names
from companion.i18n.languages import gettext
from companion.plugins import plugin, plugins
from companion.web.app_state import app_state
from companion.web.pages.camera import polygon
from companion.web.pages.owncards import newest_teaching_image, write_error
from companion.web.pairing import Right
from companion.web.security import needs
from engine.games import SEATS
from vision.cards.card_set import CardSet
from vision.table.mat import Polygon

blueprint = Blueprint("cardplaces", __name__)


@blueprint.get("/camera/cards/places")
@needs(Right.MANAGE)
def page() -> str:
    """The page on which areas are drawn."""
    app = app_state()
    drawn = load_zones(app.cameras.cards.sets.folder)
    known = drawn or app.cameras.cards.watch.places
    seats = app.session.seats() or [("A", "A"), ("B", "B")]
    playing = getattr(app.session.running, "table", None)
    watching = next(one.cards for one in plugins() if one.cards)
    if playing is not None:
        watching = plugin(playing.record.game.ID).cards or watching
    above = [(name, title()) for name, title in watching.places.items()]
    shown: list[tuple[str, str, Polygon]] = []
    for place, (name, words) in enumerate(above):
        shown.append((name, words, known.get(name, _band(place / len(above), (place + 1) / len(above), 0.03, 0.4))))
    for place, (seat, name) in enumerate(seats):
        shown.append((seat, name, known.get(seat, _band(place / len(seats), (place + 1) / len(seats), 0.55, 0.95))))
    look = newest_teaching_image(CardSet(""))
    return render_template("cardplaces.html", number=None if look is None else look.number, places=shown, drawn=drawn)


@blueprint.post("/camera/cards/places")
def keep() -> AnyResponse:
    """Stores the areas, or no areas, or lets the first minute of a game show them."""
    app = app_state()
    what = request.form.get("what")
    names = [*zone_names(), *SEATS] if what is None else []
    try:
        drawn = {name: polygon(name) for name in names if request.form.get(name)}
        save_zones(app.cameras.cards.sets.folder, None if what == "learn" else drawn)
    except ValueError:
        flash(gettext("Keep both areas inside the picture."))
    except OSError as error:
        flash(write_error(error))
    app.cameras.cards.restart()
    return redirect(url_for("cardplaces.page"), 303)


def _band(left: float, right: float, top: float, low: float) -> Polygon:
    left, right = left + 0.06, right - 0.06  # corners side by side are a fingertip apart on a phone
    return ((left, top), (right, top), (right, low), (left, low))
