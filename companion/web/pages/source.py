"""The source of the very program that runs, as the AGPL wants it offered to everyone who uses it over a network."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

from flask import Blueprint, Response

from companion.web.pairing import Right
from companion.web.security import needs

blueprint = Blueprint("source", __name__)
_ROOT = Path(__file__).parents[3]
_PACKAGES = ("companion", "engine", "vision")
_PARTS = (
    "models",
    "datasets",
    "scripts",
    "tests",
    "pyproject.toml",
    "Makefile",
    "LICENSE",
    "README.md",
    "ARCHITECTURE.md",
)
_LEFT_OUT = {"__pycache__", "data"}


@blueprint.get("/source")
@needs(Right.NONE)
def download() -> Response:
    """Everything that runs here, packed on request."""
    headers = {"Content-Disposition": "attachment; filename=courtside-source.zip"}
    return Response(_packed(), mimetype="application/zip", headers=headers)


@cache
def _packed() -> bytes:
    """The packages, and in a checkout all that belongs to them; from a wheel, the packages as installed."""
    packed = io.BytesIO()
    checkout = (_ROOT / "pyproject.toml").exists()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in (*_PACKAGES, *(_PARTS if checkout else ())):
            top = _ROOT / part
            for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
                inside = path.relative_to(_ROOT)
                if path.is_file() and not _LEFT_OUT & set(inside.parts):
                    archive.write(path, str(Path("courtside") / inside))
    return packed.getvalue()
