"""Installation as a web app: manifest, icons, service worker and offline page."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, url_for

from companion.i18n.languages import current_language, gettext
from companion.web.pairing import Right
from companion.web.security import needs

blueprint = Blueprint("install", __name__)
_FILES = (
    "tokens.css",
    "dark.css",
    "theme.js",
    "house.css",
    "controls.css",
    "pages.css",
    "offline.js",
    "mark.svg",
    "icon.svg",
)
# The PNGs are made with `chromium --headless --screenshot=icon-SIZE.png --window-size=SIZE,SIZE icon.svg`.
_PAPER = "#f6f1e7"  # as in tokens.css


@blueprint.get("/manifest.webmanifest")
@needs(Right.NONE)
def manifest() -> Response:
    """The web app manifest; browsers ask for it without cookies."""
    manifest_fields = {
        "id": url_for("table.page"),
        "name": "Courtside",
        "short_name": "Courtside",
        "description": gettext("The table, the dice and whose turn it is, on your phone."),
        "lang": current_language(),
        "start_url": url_for("table.page"),
        "scope": url_for("table.page"),
        "display": "standalone",
        "background_color": _PAPER,
        "theme_color": _PAPER,
        "icons": [_icon(f"icon-{size}.png", f"{size}x{size}", "image/png") for size in (192, 512)]
        + [_icon("icon.svg", "any", "image/svg+xml")],
    }
    response = jsonify(manifest_fields)
    response.mimetype = "application/manifest+json"
    return response


@blueprint.get("/offline")
@needs(Right.NONE)
def offline() -> str:
    """The offline page: says that the computer does not answer, and what to do."""
    return render_template("offline.html")


@blueprint.get("/offline-worker.js")
@needs(Right.NONE)
def worker() -> Response:
    """The service worker, which caches only the offline page."""
    files = [url_for("static", filename=name) for name in _FILES]
    name = f"courtside-{current_language()}-{files[0].split('/')[-2]}"
    text = render_template("offline_worker.js", name=name, page=url_for("install.offline"), files=files)
    return Response(text, mimetype="text/javascript")


def _icon(name: str, sizes: str, kind: str) -> dict[str, str]:
    return {"src": url_for("static", filename=name), "sizes": sizes, "type": kind, "purpose": "any maskable"}
