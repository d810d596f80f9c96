"""Creates the Flask application: settings, languages, access control, and one blueprint for each page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

from flask import Flask, render_template, url_for
from jinja2 import FileSystemLoader
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.wrappers import Response

from companion.i18n.languages import gettext, init_languages
from companion.i18n.words import init_words
from companion.plugins import plugins
from companion.web.app_state import AppState, app_state
from companion.web.event_words import init_event_words
from companion.web.pages import (
    camera,
    cardplaces,
    cards,
    club,
    correcting,
    deck,
    ending,
    history,
    install,
    invitation,
    language,
    live,
    newgame,
    overlay,
    owncards,
    owndice,
    phone,
    player,
    players,
    source,
    table,
    training,
)
from companion.web.pages.actions import form_fields
from companion.web.pages.boards import MAX_BOARD_LINES, render_lines
from companion.web.pairing import Pairing, Right
from companion.web.security import init_security, visitor
from companion.web.sentences import init_sentences, victory
from companion.web.static_files import App, fingerprint, folders_of_games, game_styles

_PAGES = (
    table, correcting, live, newgame, overlay, phone, player, camera, owncards, cardplaces, owndice, history, ending,
    players, club, cards, invitation, deck, language, source, training, install,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the server.

    Attributes:
        local_only: Only this computer can reach it, so every visitor is the host.
        hosts: Host names that are accepted, against DNS rebinding; None for any.
        public_origin: Scheme, host and port at a reverse proxy; None without one.
        public_prefix: The path below which the proxy shows all pages, "" at the root.
    """

    port: int
    local_only: bool = True
    secure: bool = False
    language: str | None = None
    hosts: tuple[str, ...] | None = ("localhost", "127.0.0.1", "[::1]")
    public_origin: str | None = None
    public_prefix: str = ""


def create_app(state: AppState, pairing: Pairing, settings: Settings) -> Flask:
    """The Flask application that shows one table."""
    app = App("companion.web", static_url_path=f"/static/{fingerprint()}")
    app.jinja_loader = FileSystemLoader([Path(__file__).parent / "templates", *folders_of_games("templates")])
    app.url_map.merge_slashes = False  # no redirects by the router: a similar address is not a page
    app.config.update(
        SECRET_KEY=pairing.key("session"),
        # Cookies ignore ports, so two companions need different names.
        SESSION_COOKIE_NAME=f"courtside-{settings.port}",
        SESSION_COOKIE_SECURE=settings.secure,
        PERMANENT_SESSION_LIFETIME=timedelta(days=90),
        # The cookie is sent only when it changes: a board sent at the same time would restore the old language.
        SESSION_REFRESH_EACH_REQUEST=False,
        APPLICATION_ROOT=settings.public_prefix or "/",
        PUBLIC_ORIGIN=settings.public_origin,
        LOCAL_ONLY=settings.local_only,
        LANGUAGE=settings.language,
        TRUSTED_HOSTS=list(settings.hosts) if settings.hosts else None,
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=365),  # every address contains a hash of the files
    )
    app.extensions.update(app_state=state, pairing=pairing, login_throttle=state.login_throttle)
    app.before_request(state.past.note_request)
    init_security(app)
    init_languages(app)
    init_words(app)
    init_event_words(app)
    init_sentences(app)
    for page in _PAGES:
        app.register_blueprint(page.blueprint)
    app.jinja_env.globals.update(
        form_fields=form_fields,
        credits=_credits,
        all_games=plugins,
        asset=_asset,
        earned_in=players.earned,
        max_board_lines=MAX_BOARD_LINES,
        navigation=_navigation,
        own_seats_of_visitor=_own_seats,
        styles=_styles,
        version=_version(),
        victory=victory,
        render_lines=render_lines,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    # Imported once: otherwise every rendered template would import them again.
    pips = app.jinja_env.get_template("dice.html").module
    app.jinja_env.globals.update({name: getattr(pips, name) for name in ("die", "dice", "sign", "numeral", "percent")})
    app.register_error_handler(HTTPException, _error_page)
    return app


def _asset(name: str) -> str:
    """Address of a static file. It contains a hash of the folder, so that browsers may cache it forever.

    The hash is in the folder's name and not the file's, because scripts import each other by bare name.
    """
    return url_for("static", filename=name)


def _styles(*names: str) -> Markup:
    """Links to these style sheets; `games` stands for the games' own."""
    sheets = [sheet for name in names for sheet in (game_styles() if name == "games" else (name,))]
    links = (Markup('<link rel="stylesheet" href="{}">').format(_asset(f"{name}.css")) for name in sheets)
    return Markup("").join(links)


def _credits() -> str:
    return "; ".join(filter(None, (one.credit() for one in plugins())))


def _version() -> str:
    try:
        return installed_version("courtside")
    except PackageNotFoundError:
        return ""


def _own_seats() -> list[tuple[str, str]]:
    """Letter and name of this visitor's own seats; none for the host, who plays on the table's page."""
    mine = visitor().seats
    return [(seat, name) for seat, name in app_state().session.seats() if seat in mine]


def _navigation() -> list[tuple[str, str]]:
    """Endpoint and name of the pages this visitor may open."""
    archive = app_state().past.archive
    shared = [
        ("table.page", gettext("Table")),
        ("history.page", gettext("History")),
        ("players.page", gettext("Players")),
        *([("club.page", gettext("Club"))] if archive is not None and archive.shared else []),
        ("cards.page", gettext("Cards")),
    ]
    if not visitor().may(Right.WATCH):
        return shared[-1:]
    if not visitor().may(Right.MANAGE):
        return shared
    return [
        shared[0],
        ("newgame.page", gettext("New game")),
        *shared[1:-1],
        ("camera.page", gettext("Camera")),
        shared[-1],
        ("invitation.page", gettext("Invite")),
    ]


def _error_page(error: HTTPException) -> tuple[str, int] | Response:
    """An HTTP error as a page with one sentence."""
    if error.code is None or error.code < 400:
        return error.get_response()  # a redirect by the router
    if isinstance(error, SecurityError):
        return "Courtside is not known by this name.", 400  # with a foreign host name, no addresses can be built
    sentences = {
        404: gettext("This page or game does not exist."),
        405: gettext("This page cannot do that."),
        413: gettext("That is too large."),
        429: gettext("Too many requests. Wait a moment and try again."),
    }
    sentence = sentences.get(error.code, gettext("Something in this request is wrong. Go back and try again."))
    return render_template("failed.html", heading=gettext("That did not work"), sentence=sentence), error.code
