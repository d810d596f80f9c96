"""The choice of the page's language."""

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
    """Stores the language and returns to the previous page."""
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400)
    session["language"] = language
    session.permanent = True
    return redirect(_internal_page(request.form.get("back", "/")), 303)


def _internal_page(asked: str) -> str:
    """The address of our page that `asked`, a decoded path with its query, means; the table's if there is none.

    It is rebuilt from the page's endpoint and arguments, so the result is always one of our addresses.
    """
    path, _, query = asked.partition("?")
    try:
        endpoint, parts = current_app.create_url_adapter(request).match(path, method="GET")  # type: ignore[union-attr]
        arguments = parse_qsl(query, keep_blank_values=True, max_num_fields=20)
    except (HTTPException, ValueError):
        return url_for("table.page")
    return url_for(endpoint, **parts) + (f"?{urlencode(arguments)}" if arguments else "")
