"""Teaches the camera the players' own cards: outlines in the newest image, named with a tap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.camera.card_camera import CardCamera
from companion.camera.card_teaching import TeachingImage
from companion.camera.own_cards import DamagedSet, NoSuchSet
from companion.game.changes import Sentence
from companion.i18n.languages import gettext, ngettext
from companion.i18n.words import card_name
from companion.plugins import plugin, plugins
from companion.web.app_state import app_state
from companion.web.pages.camera import chosen_source
from companion.web.pairing import Right
from companion.web.request_costs import takes_upload
from companion.web.security import needs
from companion.web.sentences import refusal, sentence, whole_sentence
from engine.games import GAME_IDS
from vision.cards.card_set import MOST_BYTES, CardSet
from vision.cards.teaching import NotOneCard
from vision.sources.devices import devices
from vision.sources.jpeg import Unusable, encoded

blueprint = Blueprint("owncards", __name__)
_ROTATIONS = (0, 90, 180, 270)
_MAX_WORD = 40
_FACE_QUALITY = 90  # of the JPEG of a cut-out
_UPLOAD = min(MOST_BYTES, 48 * 2**20)


@dataclass(frozen=True, slots=True)
class KindButton:
    """A name to tap. `taught` is its number of images."""

    id: str
    name: str
    taught: int


@blueprint.get("/camera/cards")
@needs(Right.MANAGE)
def page() -> str:
    """The newest image with its cards outlined; with `number` an earlier one, with `card` one of its cards."""
    own = _card_camera().sets
    asked = request.args.get("set") or own.chosen
    cards, damage = _set(asked)
    number, card = request.args.get("number", type=int), request.args.get("card", type=int)
    look = None
    if cards is not None:
        look = newest_teaching_image(cards) if number is None else _card_camera().teacher.image(number, cards)
    if look is None or card is None or not 0 <= card < len(look.found):
        card = None
    position: Any = app_state().session.position()
    playing = getattr(getattr(app_state().session.running, "table", None), "record", None)
    return render_template(
        "owncards.html",
        names=own.names(),
        asked=asked,
        cards=cards,
        damage=damage,
        look=look,
        card=card,
        turn=_rotation(request.args),
        kinds=[] if cards is None else _kinds(cards),
        alike=[] if cards is None or look is None or number is None else _card_camera().teacher.similar_kinds(cards),
        games=[one.id for one in plugins() if one.cards],
        game=playing.game if position is not None and playing is not None else GAME_IDS[0],
        hint=_hint(cards),
        watching=_card_camera().camera is not None,
        source=_source(),
        cameras=devices(),
        live=number is None,
    )


@blueprint.get("/camera/cards/look")
@needs(Right.MANAGE)
def look() -> str:
    """The newest image with its outlines, for a page that waits for cards."""
    cards, _ = _set(request.args.get("set"))
    newest = None if cards is None else newest_teaching_image(cards)
    return render_template("owncards_look.html", look=newest, card=None, cards=cards)


@blueprint.get("/camera/cards/<int:number>.jpg")
@needs(Right.MANAGE)
def picture(number: int) -> Response:
    """The image with this number, which the page has shown before."""
    image = _card_camera().teacher.image(number)
    if image is None:
        abort(404)
    return numbered_picture(image.jpeg)


@blueprint.get("/camera/cards/<int:number>/<int:place>.jpg")
@needs(Right.MANAGE)
def face(number: int, place: int) -> Response:
    """The cut-out of one card of an image, as it would be stored, as a JPEG."""
    image = _card_camera().teacher.image(number)
    if image is None or place >= len(image.found):
        abort(404)
    return numbered_picture(encoded(image.cut(place, _rotation(request.args)), _FACE_QUALITY))


@blueprint.get("/camera/cards/watched/<int:number>.jpg")
@needs(Right.WATCH)
def watched(number: int) -> Response:
    """The image that a message about the cards refers to."""
    message_frame = _card_camera().watch.message_frame
    if message_frame is None or message_frame.number != number:
        abort(404)
    return numbered_picture(message_frame.jpeg)


@blueprint.post("/camera/cards/teach")
def teach() -> AnyResponse:
    """Names this card and shows the next one without a name."""
    name, number, card = (
        request.form.get("set", ""),
        request.form.get("number", -1, int),
        request.form.get("card", -1, int),
    )
    cards, damage = _set(name)
    kind = " ".join((request.form.get("word") or request.form.get("kind") or "").split())[:_MAX_WORD]
    if cards is None:
        return _redirect(damage or gettext("Choose the edition of these cards first."))
    image = _card_camera().teacher.image(number, cards)
    if image is None:
        return _redirect(gettext("This picture is no longer available. Take a new one."), set=name)
    if not kind:
        return _redirect(gettext("Tap the card’s name or type it."), set=name, number=number, card=card)
    with _redirect_on_error(set=name, number=number):
        _card_camera().watch.pause()
        now = _card_camera().teacher.teach(image, card, _rotation(request.form), kind, cards)
    named = _card_camera().teacher.image(number, now)
    others = [] if named is None else [place for place, found in enumerate(named.found) if found.kind is None]
    following = {"card": min(others, key=lambda place: (place < card, place))} if others else {}
    _save(now)
    return _redirect(None, set=name, number=number, **following)


@blueprint.post("/camera/cards/set")
def choose() -> AnyResponse:
    """Creates a set, or selects one to play with."""
    own, name = _card_camera().sets, " ".join(request.form.get("set", "").split())
    game = request.form.get("game", "")
    if game and game not in GAME_IDS:
        abort(400)
    with _redirect_on_error():
        if game and name not in own.names():
            own.save(CardSet(name, (), game))
        own.load_or_new(name)
        own.choose(name)
    _card_camera().restart()
    return _redirect(None, set=name)


@blueprint.post("/camera/cards/source")
def look_through() -> AnyResponse:
    """Selects a separate camera for the cards, or (`none`) the one that reads the dice."""
    source = chosen_source()
    _card_camera().use_source("" if source == "none" else source)
    return redirect(url_for("owncards.page"), 303)


@blueprint.post("/camera/cards/forget")
def forget() -> AnyResponse:
    """Deletes a set, or one kind in it."""
    own, name, kind = _card_camera().sets, request.form.get("set", ""), request.form.get("kind", "")
    if kind:
        cards, damage = _set(name)
        if cards is None:
            return _redirect(damage)
        _save(cards.without(kind))
        return _redirect(gettext("%(card)s is removed.", card=card_name(kind)), set=name)
    with _redirect_on_error():
        own.delete(name)
    _card_camera().restart()
    return _redirect(gettext("“%(name)s” is removed.", name=name))


@blueprint.get("/camera/cards/export")
@needs(Right.MANAGE)
def export() -> AnyResponse:
    """Download of a set as one file."""
    cards, damage = _set(request.args.get("set"))
    if cards is None:
        return _redirect(damage or gettext("Choose the edition of these cards first."))
    with _redirect_on_error(set=cards.name):
        data = cards.packed()
    response = Response(data, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{cards.name}.cards")
    return response


@blueprint.post("/camera/cards/import")
@takes_upload(_UPLOAD)
@needs(Right.MANAGE)
def take() -> AnyResponse:
    """Imports a set; an existing one of the same name is kept."""
    own, file = _card_camera().sets, request.files.get("file")
    if file is None or not file.filename:
        return _redirect(gettext("Choose a file first."))
    with _redirect_on_error():
        cards = CardSet.unpacked(file.read(_UPLOAD), file.filename[:80])
        name = cards.name
        for number in range(2, 100):
            if cards.name not in own.names():
                break
            cards = replace(cards, name=f"{name} {number}")
        own.save(cards)
        own.choose(cards.name)
    _card_camera().restart()
    count = len(cards.kinds)
    if cards.repair:
        flash(sentence(Sentence(cards.repair.template, cards.repair.values)))
    return _redirect(
        ngettext("Imported %(num)s kind of card.", "Imported %(num)s kinds of cards.", count),
        set=cards.name,
    )


def _set(name: str | None) -> tuple[CardSet | None, str | None]:
    """The set of this name, or an error page."""
    if not name:
        return None, None
    try:
        return _card_camera().sets.load(name), None
    except (NoSuchSet, DamagedSet) as error:
        return None, whole_sentence(refusal(error))


def numbered_picture(jpeg: bytes) -> Response:
    """An image that never changes under its number, so that browsers may keep it for a while."""
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=60"})


def newest_teaching_image(cards: CardSet) -> TeachingImage | None:
    """The newest image with its cards; None if there is none."""
    frame = _card_camera().newest_image()
    if frame is None:
        return None
    with suppress(Unusable):
        return _card_camera().teacher.find_cards(frame[1].frame, frame[0], cards)
    return None


def _card_camera() -> CardCamera:
    return app_state().cameras.cards


def _source() -> str:
    camera = _card_camera().watcher
    return "none" if camera is None else camera.public_source


def _hint(cards: CardSet | None) -> str:
    """Advice for teaching the cards of this game."""
    watching = plugin(cards.game).cards if cards is not None and cards.game in GAME_IDS else None
    return watching.hint() if watching else ""


def _kinds(cards: CardSet) -> list[KindButton]:
    """The kinds of this game: those not taught yet first."""
    watching = plugin(cards.game).cards if cards.game in GAME_IDS else None
    known = watching.kinds() if watching else ()
    counts = {kind: sum(face.kind == kind for face in cards.faces) for kind in (*known, *cards.kinds)}
    return [
        KindButton(kind, card_name(kind), count) for kind, count in sorted(counts.items(), key=lambda pair: pair[1] > 0)
    ]


def _save(cards: CardSet) -> None:
    with _redirect_on_error(set=cards.name):
        _card_camera().sets.save(cards)
    _card_camera().restart()


@contextmanager
def _redirect_on_error(**where: Any) -> Iterator[None]:
    """Ends the request if a set cannot be used or saved: the page, at this place, says why."""
    try:
        yield
    except (DamagedSet, NoSuchSet, NotOneCard) as error:
        abort(_redirect(whole_sentence(refusal(error)), **where))
    except OSError as error:
        abort(_redirect(write_error(error), **where))


def write_error(error: OSError) -> str:
    """The reason why cards could not be saved, in words."""
    return gettext("The cards could not be saved: %(why)s", why=error.strerror or str(error))


def _rotation(given: Any) -> int:
    turn = given.get("turn", 0, type=int)
    return turn if turn in _ROTATIONS else 0


def _redirect(message: str | None, **where: Any) -> AnyResponse:
    if message:
        flash(message)
    return redirect(url_for("owncards.page", **where), 303)
