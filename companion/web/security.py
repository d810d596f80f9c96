"""The door of the page: rights, forged requests, what a browser may load."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterable
from typing import TypeVar
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, g, render_template, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from markupsafe import Markup

from companion.web.costs import most_bytes
from companion.web.pairing import AT_THE_COMPUTER, Pairing, Right, Visitor, invited_as

View = TypeVar("View", bound=Callable[..., object])

# Nothing but our own files, no inline script or style; pictures of the camera arrive as blobs.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "media-src 'self' blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_ALWAYS = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(self), microphone=(), geolocation=()"),
)
SAFE_HEADERS = [(name.lower().encode(), value.encode()) for name, value in _ALWAYS]  # as the server sends them
_ANYBODYS_TOKEN = secrets.token_urlsafe(24)  # in no text that a person has written
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Sessions(SecureCookieSessionInterface):
    """What a browser keeps, signed; whoever came by a link is let in as long as the link is good, which no clock on the
    wall decides: not this computer's, which may be set, and not the browser's."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """What the cookie of this request says; nothing where it is none of ours."""
        serializer = self.get_signing_serializer(app)
        kept = request.cookies.get(self.get_cookie_name(app), "")
        try:
            return self.session_class(serializer.loads(kept) if serializer and kept else {})
        except BadSignature:
            return self.session_class()

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> None:
        """No date: `save_session` says for how long instead."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie where it has changed."""
        super().save_session(app, session, response)
        mine = f"{self.get_cookie_name(app)}="
        for place, (name, value) in enumerate(response.headers):
            if name == "Set-Cookie" and value.startswith(mine) and session.permanent:
                seconds = int(app.permanent_session_lifetime.total_seconds())
                response.headers[place] = (name, f"{value}; Max-Age={seconds}")


def needs(right: Right) -> Callable[[View], View]:
    """Mark a view with the right it needs. Unmarked: reading needs WATCH, changing needs MANAGE."""

    def mark(view: View) -> View:
        view.needs = right  # type: ignore[attr-defined]
        return view

    return mark


def visitor() -> Visitor:
    """Who asks. On a page that listens on loopback only, everybody sits at the computer."""
    if current_app.config["OPEN_HOUSE"]:
        return AT_THE_COMPUTER
    found = Visitor()
    for invitation in invitations_taken():
        found |= invited_as(invitation)
    return found


def invitations_taken() -> list[str]:
    """The invitations that this browser has come in by, as far as their links have not ended."""
    taken = session.get("invitations", [])
    pairing: Pairing = current_app.extensions["pairing"]
    found = (pairing.invitation_of(str(ticket)) for ticket in taken) if isinstance(taken, list) else ()
    return [invitation for invitation in found if invitation is not None]


def take_invitations(invitations: Iterable[str]) -> None:
    """This browser comes in by the links of these invitations from now on, and by none of those before."""
    pairing: Pairing = current_app.extensions["pairing"]
    taken = list(dict.fromkeys(invitations))
    for invitation in taken:
        pairing.take(invitation)
    session["invitations"] = [pairing.ticket(invitation) for invitation in taken]
    session.permanent = True


def csrf_token() -> str:
    """This visitor's token, made on first use; on a page being drawn for many, what stands in its place."""
    if for_many():
        return _ANYBODYS_TOKEN
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return str(session["csrf"])


def for_many() -> bool:
    """Whether what is being drawn is for more visitors than the one who asks."""
    return bool(g.get("for_many"))


def drawn_for_many(draw: Callable[[], str]) -> str:
    """What `draw` makes, without anybody's token: `with_own_token` makes it the page of one visitor."""
    g.for_many = True
    try:
        return draw()
    finally:
        g.for_many = False


def with_own_token(page: str) -> str:
    """A page drawn for many, as this visitor gets it."""
    return page.replace(_ANYBODYS_TOKEN, csrf_token())


def without_token(page: str) -> str:
    """A page drawn for many, for scripts, which send the visitor's token themselves."""
    return page.replace(_ANYBODYS_TOKEN, "")


def token_field() -> Markup:
    """The token as a hidden field, for forms that are sent without scripts."""
    return Markup('<input type="hidden" name="csrf" value="{}">').format(csrf_token())


def admitted() -> bool:
    """Whether the visitor has the right that the view asked for needs; its body need not have been read."""
    if request.endpoint is None:
        return True  # no such page: let the 404 happen
    view = current_app.view_functions[request.endpoint]
    usual = Right.WATCH if request.method in _SAFE_METHODS else Right.MANAGE
    return visitor().may(getattr(view, "needs", usual))


def _admit() -> None:
    if not admitted():
        abort(403)
    view = current_app.view_functions.get(request.endpoint or "")
    request.max_content_length = most_bytes(view)
    if (request.content_length or 0) > most_bytes(view):
        abort(413)
    if view is not None and request.method not in _SAFE_METHODS:
        _refuse_forged()


def _refuse_forged() -> None:
    """Refuse a change that another site's page could have sent (OWASP: origin check and synchronizer token)."""
    origin = request.headers.get("Origin")
    ours = origin == current_app.config["PUBLIC_ORIGIN"]  # what a proxy asks for may have another host
    if origin is not None and not ours and urlsplit(origin).netloc != request.host:
        abort(403)
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        abort(403)
    sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    if not hmac.compare_digest(sent.encode(), str(session.get("csrf", "")).encode()) or not sent:
        abort(403)


def _harden(response: Response) -> Response:
    headers = response.headers
    headers.extend(_ALWAYS)
    headers.setdefault("Cache-Control", "no-store")
    return response


def _refusal(error: Exception) -> tuple[str, int]:
    """403 in words: what is missing and how to get it."""
    return render_template("refused.html"), 403


def init_security(app: Flask) -> None:
    """Put the door into an app. Config OPEN_HOUSE: no pairing needed, because only this computer can reach the page."""
    app.session_interface = Sessions()
    app.before_request(_admit)
    needs(Right.NONE)(app.view_functions["static"])  # a stranger's page and a phone's camera page need their files
    app.after_request(_harden)
    app.register_error_handler(403, _refusal)
    app.context_processor(
        lambda: {
            "csrf_token": csrf_token,
            "token": token_field,
            "may": visitor().may,
            "may_enter_for": visitor().may_enter_for,
            "Right": Right,
        }
    )
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_FORM_MEMORY_SIZE=256 * 1024,
        MAX_FORM_PARTS=100,
    )
