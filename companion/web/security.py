"""Access control, CSRF protection, security headers."""

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

from companion.web.pairing import AT_THE_COMPUTER, Pairing, Right, Visitor, visitor_for
from companion.web.request_costs import max_request_bytes

View = TypeVar("View", bound=Callable[..., object])

# Only our own files, no inline scripts or styles; camera images arrive as blobs.
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
_SECURITY_HEADERS = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(self), microphone=(), geolocation=()"),
)
SAFE_HEADERS = [
    (name.lower().encode(), value.encode()) for name, value in _SECURITY_HEADERS
]  # in the form of the ASGI server
_TOKEN_PLACEHOLDER = secrets.token_urlsafe(24)  # a random placeholder that no user text contains
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Sessions(SecureCookieSessionInterface):
    """Signed session cookies. They stay valid as long as the invitation link, independent of the wall clock of this
    computer and of the browser."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """The session of this request; an empty one if the cookie is not ours."""
        serializer = self.get_signing_serializer(app)
        kept = request.cookies.get(self.get_cookie_name(app), "")
        try:
            return self.session_class(serializer.loads(kept) if serializer and kept else {})
        except BadSignature:
            return self.session_class()

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> None:
        """None: `save_session` sets a duration instead of a date."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Sends the cookie if it has changed."""
        super().save_session(app, session, response)
        mine = f"{self.get_cookie_name(app)}="
        for place, (name, value) in enumerate(response.headers):
            if name == "Set-Cookie" and value.startswith(mine) and session.permanent:
                seconds = int(app.permanent_session_lifetime.total_seconds())
                response.headers[place] = (name, f"{value}; Max-Age={seconds}")


def needs(right: Right) -> Callable[[View], View]:
    """Marks a view with the right it needs. By default reading needs WATCH and changing needs MANAGE."""

    def mark(view: View) -> View:
        view.needs = right  # type: ignore[attr-defined]
        return view

    return mark


def visitor() -> Visitor:
    """The visitor of this request. On a page that listens on loopback only, every visitor is at the computer."""
    if current_app.config["LOCAL_ONLY"]:
        return AT_THE_COMPUTER
    found = Visitor()
    for invitation in used_invitations():
        found |= visitor_for(invitation)
    return found


def used_invitations() -> list[str]:
    """The invitations that this browser has used, if their links are still valid."""
    used = session.get("invitations", [])
    pairing: Pairing = current_app.extensions["pairing"]
    found = (pairing.invitation_of(str(ticket)) for ticket in used) if isinstance(used, list) else ()
    return [invitation for invitation in found if invitation is not None]


def set_invitations(invitations: Iterable[str]) -> None:
    """Replaces this browser's invitations."""
    pairing: Pairing = current_app.extensions["pairing"]
    used = list(dict.fromkeys(invitations))
    for invitation in used:
        pairing.mark_used(invitation)
    session["invitations"] = [pairing.ticket(invitation) for invitation in used]
    session.permanent = True


def csrf_token() -> str:
    """This visitor's CSRF token, created on first use; in a page rendered for several visitors, a placeholder."""
    if is_shared_page():
        return _TOKEN_PLACEHOLDER
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return str(session["csrf"])


def is_shared_page() -> bool:
    """Whether the page is rendered for several visitors."""
    return bool(g.get("is_shared_page"))


def render_shared(render: Callable[[], str]) -> str:
    """The result of `render` without a visitor's token, which `with_own_token` fills in."""
    g.is_shared_page = True
    try:
        return render()
    finally:
        g.is_shared_page = False


def with_own_token(page: str) -> str:
    """A shared page with this visitor's token."""
    return page.replace(_TOKEN_PLACEHOLDER, csrf_token())


def without_token(page: str) -> str:
    """A shared page for scripts, which send the visitor's token themselves."""
    return page.replace(_TOKEN_PLACEHOLDER, "")


def token_field() -> Markup:
    """The token as a hidden field, for forms sent without scripts."""
    return Markup('<input type="hidden" name="csrf" value="{}">').format(csrf_token())


def is_allowed() -> bool:
    """Whether the visitor has the right that the requested view needs. Does not read the body."""
    if request.endpoint is None:
        return True  # no such page; the router answers 404
    view = current_app.view_functions[request.endpoint]
    default = Right.WATCH if request.method in _SAFE_METHODS else Right.MANAGE
    return visitor().may(getattr(view, "needs", default))


def _check_access() -> None:
    if not is_allowed():
        abort(403)
    view = current_app.view_functions.get(request.endpoint or "")
    request.max_content_length = max_request_bytes(view)
    if (request.content_length or 0) > max_request_bytes(view):
        abort(413)
    if view is not None and request.method not in _SAFE_METHODS:
        _check_csrf()


def _check_csrf() -> None:
    """Rejects a change that another site could have sent (OWASP: origin check and synchronizer token)."""
    origin = request.headers.get("Origin")
    ours = origin == current_app.config["PUBLIC_ORIGIN"]  # a proxy's request may have another host
    if origin is not None and not ours and urlsplit(origin).netloc != request.host:
        abort(403)
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        abort(403)
    sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    if not hmac.compare_digest(sent.encode(), str(session.get("csrf", "")).encode()) or not sent:
        abort(403)


def _add_security_headers(response: Response) -> Response:
    headers = response.headers
    headers.extend(_SECURITY_HEADERS)
    headers.setdefault("Cache-Control", "no-store")
    return response


def _forbidden_page(error: Exception) -> tuple[str, int]:
    """A 403 page that says what is missing and how to get it."""
    return render_template("refused.html"), 403


def init_security(app: Flask) -> None:
    """Installs access control in an app. Config LOCAL_ONLY: no invitation needed, because only this computer can
    reach the page."""
    app.session_interface = Sessions()
    app.before_request(_check_access)
    needs(Right.NONE)(app.view_functions["static"])  # the pages for strangers and for a phone camera need their files
    app.after_request(_add_security_headers)
    app.register_error_handler(403, _forbidden_page)
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
