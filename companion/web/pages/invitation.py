"""Pairing: a link with a secret word makes a browser host, player, spectator or camera."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.i18n.languages import gettext
from companion.web.app_state import app_state
from companion.web.pairing import Doorman, Pairing, Right, Visitor, household, invited_as
from companion.web.qr import svg_code
from companion.web.security import invitations_taken, needs

blueprint = Blueprint("invitation", __name__)


@blueprint.get("/pair/<invitation>/<word>")
@needs(Right.NONE)
def accept(invitation: str, word: str) -> AnyResponse | tuple[str, int]:
    """Take an invitation: afterwards this browser has its rights, besides those it had."""
    doorman: Doorman = current_app.extensions["doorman"]
    address = household(request.remote_addr or "")
    if doorman.seconds_to_wait(address) > 0:
        sentence = gettext("Too many wrong links; wait a minute and try again.")
        return render_template("failed.html", heading=gettext("Please wait"), sentence=sentence), 429
    pairing: Pairing = current_app.extensions["pairing"]
    invited = invited_as(invitation)
    if invited == Visitor() or not pairing.admits(invitation, word):
        doorman.failed(address)
        abort(403)
    session["invitations"] = list(dict.fromkeys((*invitations_taken(), invitation)))
    session.permanent = True
    for seat in invited.seats:
        return redirect(url_for("player.page", seat=seat), 303)
    return redirect(url_for("table.page" if invited.may(Right.WATCH) else "phone.page"), 303)


@blueprint.get("/invite")
@needs(Right.MANAGE)
def page() -> str:
    """All invitations with their codes, for the host to show."""
    here = app_state()
    invitations = [("spectator", gettext("Spectator")), ("camera", gettext("Phone as camera"))]
    invitations += [(f"player-{seat}", name) for seat, name in here.seats()]
    invitations += [("host", gettext("Host"))]
    shown = [(kind, name, here.invitation_link(kind)) for kind, name in invitations]
    return render_template("invite.html", invitations=shown, reachable=not current_app.config["OPEN_HOUSE"])


@blueprint.get("/invite/<invitation>.svg")
@needs(Right.MANAGE)
def code(invitation: str) -> Response:
    """The QR code of an invitation's link."""
    if invited_as(invitation) == Visitor():
        abort(404)
    return Response(svg_code(app_state().invitation_link(invitation)), mimetype="image/svg+xml")
