"""Choosing the page's language."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, session
from werkzeug.wrappers import Response

from companion.i18n.languages import LANGUAGES
from companion.web.pairing import Right
from companion.web.security import needs

blueprint = Blueprint("language", __name__)


@blueprint.post("/language")
@needs(Right.NONE)
def choose() -> Response:
    """Remember the language and go back to where the visitor was."""
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400)
    session["language"] = language
    session.permanent = True
    back = request.form.get("back", "/")
    # Only a path of our own: "//elsewhere" and "/\elsewhere" would lead off the page.
    safe = back.startswith("/") and not back.startswith(("//", "/\\"))
    return redirect(back if safe else "/", 303)
