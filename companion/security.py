"""The door of the page: roles, forged requests, what a browser may load."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, render_template, request, session
from markupsafe import Markup

from companion.pairing import Role

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


def open_to(role: Role) -> Callable[[View], View]:
    """Mark a view with the smallest role it is for. Unmarked: spectators may read, the host may change."""

    def mark(view: View) -> View:
        view.open_to = role  # type: ignore[attr-defined]
        return view

    return mark


def visitor_role() -> Role:
    """Role of the visitor of this request. On a page that listens on loopback only, everybody is the host."""
    if current_app.config["OPEN_HOUSE"]:
        return Role.HOST
    try:
        return Role(session.get("role", 0))
    except ValueError:
        return Role.NOBODY


def visitor_seat() -> str | None:
    """Seat letter of a player paired by link, else None."""
    seat = session.get("seat")
    return str(seat) if seat else None


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


def _admit() -> None:
    if request.endpoint is None:
        return  # no such page: let the 404 happen
    view = current_app.view_functions[request.endpoint]
    changes = request.method not in _SAFE_METHODS
    needed = getattr(view, "open_to", Role.HOST if changes else Role.SPECTATOR)
    role = visitor_role()
    # A phone that is only a camera must not see the game; it passes where its own role is asked for, or nobody's.
    if role < needed or (role is Role.CAMERA and needed > Role.CAMERA):
        abort(403)
    if changes:
        _refuse_forged()


def _refuse_forged() -> None:
    """Refuse a change that another site's page could have sent (OWASP: origin check and synchronizer token)."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
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
    app.before_request(_admit)
    open_to(Role.NOBODY)(app.view_functions["static"])  # a stranger's page and a phone's camera page need their files
    app.after_request(_harden)
    app.register_error_handler(403, _refusal)
    app.context_processor(
        lambda: {
            "csrf_token": csrf_token,
            "token": token_field,
            "role": visitor_role(),
            "Role": Role,
            "my_seat": visitor_seat(),
        }
    )
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=4 * 1024 * 1024,
        MAX_FORM_MEMORY_SIZE=256 * 1024,
        MAX_FORM_PARTS=100,
    )
