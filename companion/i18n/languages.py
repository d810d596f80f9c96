"""The page's languages: selection for each visitor, and catalogues read directly from .po files."""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

import polib
from flask import Flask, current_app, has_request_context, request, session
from markupsafe import Markup

from engine import registry

# In the language itself, for readers who do not read the page's current language.
LANGUAGES = dict(zip(registry.LANGUAGES, ("English", "Deutsch", "Nederlands", "Suomi", "日本語"), strict=True))
_LANGUAGE: ContextVar[str | None] = ContextVar("language", default=None)  # language of the current request, once chosen
CATALOGUES = Path(__file__).parent / "translations"


def gettext(message: str, **values: object) -> str:
    """The message in the visitor's language, with `%(name)s` filled in."""
    text = _translated(current_language(), message)
    return text % values if values else text


def ngettext(one: str, several: str, num: int) -> str:
    """The plural form for this number, which the message may contain as `%(num)s`."""
    return catalogue(current_language()).ngettext(one, several, num) % {"num": num}


def current_language() -> str:
    """The language of the current request, by default English. It is chosen once per request, because a board has
    two hundred messages."""
    language = _LANGUAGE.get()
    if language is None:
        if not has_request_context():
            return "en"
        language = chosen_language()
        _LANGUAGE.set(language)
    return language


@lru_cache(maxsize=20_000)
def _translated(language: str, message: str) -> str:
    return catalogue(language).gettext(message)


@lru_cache(maxsize=20_000)
def _as_html(language: str, message: str) -> Markup:
    return Markup(_translated(language, message)) % {}


def _html_message(message: str, **values: object) -> Markup:
    """A template's message. Values are escaped; the message itself is trusted."""
    if not values:
        return _as_html(current_language(), message)
    return Markup(_translated(current_language(), message)) % values


def _html_plural(one: str, several: str, num: int) -> Markup:
    """A template's plural message."""
    return Markup(catalogue(current_language()).ngettext(one, several, num)) % {"num": num}


@cache
def catalogue(language: str) -> NullTranslations:
    """All translated messages of a language; without a catalogue the ids, which are English."""
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return NullTranslations()
    return GNUTranslations(BytesIO(polib.pofile(str(path)).to_binary()))


def chosen_language() -> str:
    """The language from the address, else the visitor's choice, else the host's option, else the browser's
    preference, else English."""
    asked = request.args.get("language") if request.method == "GET" else None
    if asked in LANGUAGES:
        return str(asked)
    choice = session.get("language") or current_app.config.get("LANGUAGE")
    if choice in LANGUAGES:
        return str(choice)
    return request.accept_languages.best_match(LANGUAGES, "en") or "en"


def init_languages(app: Flask) -> None:
    """Registers the translation functions with an app."""
    app.teardown_request(lambda _: _LANGUAGE.set(None) and None)
    app.jinja_env.globals.update(
        LANGUAGES=LANGUAGES, language=chosen_language, gettext=_html_message, ngettext=_html_plural, _=_html_message
    )
