"""The page's languages: which one a visitor gets, and the catalogues, read straight from their .po files."""

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

# In their own words, the way a menu of languages is read by people who do not read the page's present language.
LANGUAGES = dict(zip(registry.LANGUAGES, ("English", "Deutsch", "Nederlands", "Suomi", "日本語"), strict=True))
_LANGUAGE: ContextVar[str | None] = ContextVar("language", default=None)  # of the running request, once chosen
CATALOGUES = Path(__file__).parent / "translations"


def gettext(message: str, **values: object) -> str:
    """The message in the visitor's language, with `%(name)s` filled in."""
    said = _translated(current_language(), message)
    return said % values if values else said


def ngettext(one: str, several: str, num: int) -> str:
    """The message for this number, which it may name as `%(num)s`."""
    return catalogue(current_language()).ngettext(one, several, num) % {"num": num}


def current_language() -> str:
    """The language of the running request, else English. Chosen once a request: a board has two hundred messages."""
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
def _fit_for_html(language: str, message: str) -> Markup:
    return Markup(_translated(language, message)) % {}


def _said(message: str, **values: object) -> Markup:
    """A template's message. What is filled in is escaped, the message itself is ours."""
    if not values:
        return _fit_for_html(current_language(), message)
    return Markup(_translated(current_language(), message)) % values


def _counted(one: str, several: str, num: int) -> Markup:
    """A template's message for a number."""
    return Markup(catalogue(current_language()).ngettext(one, several, num)) % {"num": num}


@cache
def catalogue(language: str) -> NullTranslations:
    """All translated messages of one language; the ids themselves (English) when it has no catalogue."""
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return NullTranslations()
    return GNUTranslations(BytesIO(polib.pofile(str(path)).to_binary()))


def chosen_language() -> str:
    """The language that the address asks for, else the visitor's choice, else the one the host started with, else the
    browser's preference, else English."""
    asked = request.args.get("language") if request.method == "GET" else None
    if asked in LANGUAGES:
        return str(asked)
    choice = session.get("language") or current_app.config.get("LANGUAGE")
    if choice in LANGUAGES:
        return str(choice)
    return request.accept_languages.best_match(LANGUAGES, "en") or "en"


def init_languages(app: Flask) -> None:
    """Teach an app its languages."""
    app.teardown_request(lambda _: _LANGUAGE.set(None) and None)
    app.jinja_env.globals.update(
        LANGUAGES=LANGUAGES, language=chosen_language, gettext=_said, ngettext=_counted, _=_said
    )
