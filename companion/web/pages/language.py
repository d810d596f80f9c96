"""Choosing the page's language."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, abort, current_app, redirect, request, session, url_for
from werkzeug.exceptions import HTTPException
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
    return redirect(_own_page(request.form.get("back", "/")), 303)


def _own_page(asked: str) -> str:
    """The page of ours that `asked`, a path as it was decoded and its query, stands for; the table when there is none.

    Written anew from the page's name and its parts, so nothing but an address of ours can come out.
    """
    path, _, query = asked.partition("?")
    try:
        endpoint, parts = current_app.create_url_adapter(request).match(path, method="GET")  # type: ignore[union-attr]
        arguments = parse_qsl(query, keep_blank_values=True, max_num_fields=20)
    except (HTTPException, ValueError):
        return url_for("table.page")
    return url_for(endpoint, **parts) + (f"?{urlencode(arguments)}" if arguments else "")
