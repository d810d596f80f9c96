"""Invitations: a link with a secret word makes a browser host, player, spectator or camera."""

from __future__ import annotations

import io
import logging
from collections.abc import Collection

import segno
from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.i18n.languages import gettext
from companion.web.app_state import NoNetwork, app_state
from companion.web.pages.overlay import PARTS
from companion.web.pairing import GUEST, LoginThrottle, Pairing, Right, Visitor, rate_limit_key, visitor_for
from companion.web.security import needs, set_invitations, used_invitations, visitor

_LOG = logging.getLogger(__name__)
blueprint = Blueprint("invitation", __name__)


@blueprint.get("/pair/<invitation>/<word>")
@needs(Right.NONE)
def accept(invitation: str, word: str) -> AnyResponse | tuple[str, int]:
    """Accepts an invitation: the browser gets its rights in addition to those it had."""
    throttle, address = _throttle()
    if throttle.seconds_to_wait(address) > 0:
        return _too_many_attempts()
    invited = visitor_for(invitation)
    if invited == Visitor() or not _pairing().admits(invitation, word):
        throttle.failed(address)
        abort(403)
    set_invitations((*used_invitations(), invitation))
    session.pop("csrf", None)  # the old token must not give power over the new rights
    if invitation == GUEST:
        return redirect(url_for("invitation.join"), 303)
    if request.args.get("to") == "television" and invited.may(Right.WATCH):
        return redirect(url_for("overlay.television"), 303)
    for seat in invited.seats:
        return redirect(url_for("player.page", seat=seat), 303)
    return redirect(url_for("table.page" if invited.may(Right.WATCH) else "phone.page"), 303)


@blueprint.get("/join")
@needs(Right.NONE)
def join() -> str:
    """The guests' entrance: type the short word, then take a seat."""
    used = used_invitations()
    known = GUEST in used or visitor().may(Right.MANAGE)
    seats = [(seat, name, _is_taken_by_other(seat, used)) for seat, name in app_state().session.seats()]
    already_taken = next((one for one in seats if one[0] == request.args.get("seat") and one[2]), None)
    return render_template("join.html", seats=seats, already_taken=already_taken, known=known)


@blueprint.post("/join")
@needs(Right.NONE)
def take_seat() -> AnyResponse | tuple[str, int]:
    """Gives a guest one of the seats. If another browser has it, the guest is asked first."""
    throttle, address = _throttle()
    used, seat = used_invitations(), request.form.get("seat", "")
    if GUEST in used and seat in dict(app_state().session.seats()):
        if _is_taken_by_other(seat, used) and "shared" not in request.form:
            return redirect(url_for("invitation.join", seat=seat), 303)
        set_invitations((*used, f"player-{seat}"))
        return redirect(url_for("player.page", seat=seat), 303)
    if "word" not in request.form:
        return redirect(url_for("invitation.join"), 303)
    if throttle.seconds_to_wait(address) > 0:
        return _too_many_attempts()
    if _pairing().admits_guest(request.form["word"][:40]):
        set_invitations((*used, GUEST))
        session.pop("csrf", None)
    else:
        throttle.failed(address)
        flash(gettext("This is not tonight’s code word. Ask the host."))
    return redirect(url_for("invitation.join"), 303)


@blueprint.get("/invite")
@needs(Right.MANAGE)
def page() -> str:
    """All links with their codes, for the host to show, keep or revoke."""
    app, pairing = app_state(), _pairing()
    invitations = [
        (GUEST, gettext("Everyone at the table")),
        ("spectator", gettext("Spectator")),
        ("camera", gettext("Phone as camera")),
    ]
    invitations += [(f"player-{seat}", name) for seat, name in app.session.seats()]
    invitations += [("host", gettext("Host"))]
    links = [(kind, name, app.invitation_link(kind), pairing.link(kind).permanent) for kind, name in invitations]
    television = app.invitation_link("spectator") + "?to=television"
    return render_template(
        "invite.html",
        invitations=links,
        reachable=reachable(),
        network=app.network,
        word=pairing.short_word(),
        join=f"{app.invitation_link(GUEST).partition('/pair/')[0]}/join",
        television=television,
        parts=PARTS,
    )


@blueprint.post("/network")
@needs(Right.OPEN_NETWORK)
def network() -> AnyResponse:
    """Opens the local network (`open`) or closes it."""
    network, back = app_state().network, request.form.get("back")
    if network is None:
        abort(404)
    if request.form.get("open"):
        try:
            network.open()
        except NoNetwork:
            flash(gettext("This computer is not connected to a network. Connect it and try again."))
        except OSError as error:
            _LOG.warning("the network's server stays closed: %s", error)
            flash(gettext("Other devices could not be allowed. The log shown on the Camera page says why."))
    else:
        network.close()
    return redirect(url_for("camera.page" if back == "camera" else "invitation.page"), 303)


@blueprint.post("/invite/<invitation>/revoke")
def revoke(invitation: str) -> AnyResponse:
    """Ends a link and locks out all who used it, except the host who revokes it; another link replaces it."""
    _require_invitation(invitation)
    used = used_invitations()
    try:
        _pairing().revoke(invitation)
    except OSError as error:
        flash(gettext("This could not be saved: %(why)s", why=error.strerror or str(error)))
    else:
        flash(gettext("The old link no longer works, and devices that used it are signed out. Here is a new one."))
    if invitation in used:
        set_invitations(used)
    app = app_state()
    app.session.broadcast.announce_board(app.session.board_version())  # checks the permissions of open pages again
    return redirect(url_for("invitation.page"), 303)


@blueprint.post("/invite/<invitation>/keep")
def keep(invitation: str) -> AnyResponse:
    """Lets a link outlive the evening, or (`kept` empty) end with it."""
    _require_invitation(invitation)
    try:
        _pairing().set_permanent(invitation, bool(request.form.get("kept")))
    except OSError as error:
        flash(gettext("This could not be saved: %(why)s", why=error.strerror or str(error)))
    return redirect(url_for("invitation.page"), 303)


@blueprint.get("/invite/<invitation>.svg")
@needs(Right.MANAGE)
def code(invitation: str) -> Response:
    """The QR code of an invitation's link."""
    _require_invitation(invitation)
    to = "?to=television" if request.args.get("to") == "television" else ""
    return Response(qr_code(app_state().invitation_link(invitation) + to), mimetype="image/svg+xml")


def reachable() -> bool:
    """Whether other devices can connect."""
    network = app_state().network
    return not current_app.config["LOCAL_ONLY"] or (network is not None and network.base is not None)


def _is_taken_by_other(seat: str, used: Collection[str]) -> bool:
    """Whether another browser, without the invitations `mine`, has taken the seat."""
    return _pairing().link(f"player-{seat}").used and f"player-{seat}" not in used


def _require_invitation(invitation: str) -> None:
    if visitor_for(invitation) == Visitor():
        abort(404)


def _throttle() -> tuple[LoginThrottle, str]:
    """The throttle for wrong invitations, and the visitor's address in it."""
    return current_app.extensions["login_throttle"], rate_limit_key(request.remote_addr or "")


def _too_many_attempts() -> tuple[str, int]:
    sentence = gettext("Too many wrong links. Wait a minute and try again.")
    return render_template("failed.html", heading=gettext("Please wait"), sentence=sentence), 429


def _pairing() -> Pairing:
    pairing: Pairing = current_app.extensions["pairing"]
    return pairing


def qr_code(text: str) -> bytes:
    """The text as a QR code: SVG, dark on white in either colour scheme, as scanners expect."""
    picture = io.BytesIO()
    segno.make(text, error="m").save(
        picture, kind="svg", border=3, dark="#000", light="#fff", svgns=True, xmldecl=False
    )
    return picture.getvalue()
