"""The source of the very program that runs, as the AGPL wants it offered to everyone who uses it over a network."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from flask import Blueprint, Response

from companion.web.pairing import Right
from companion.web.security import needs

blueprint = Blueprint("source", __name__)
_ROOT = Path(__file__).parents[3]
_PACKAGES = ("companion", "engine", "vision")
_DATA = ("models", "datasets")  # a wheel carries them, and what follows, in `companion/data`
_AROUND = (
    ".ci",
    ".github",
    ".gitignore",
    ".pre-commit-config.yaml",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "constraints.txt",
    "docs",
    "pyproject.toml",
    "scripts",
    "tests",
)


@blueprint.get("/source")
@needs(Right.NONE)
def download() -> Response:
    """Everything that runs here, and what builds, tests and describes it, packed on request."""
    headers = {"Content-Disposition": "attachment; filename=courtside-source.zip"}
    return Response(_packed(), mimetype="application/zip", headers=headers)


@cache
def _packed() -> bytes:
    """What a checkout holds, as a ZIP archive; the same from a wheel."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, path in sorted(_files()):
            archive.write(path, f"courtside/{inside}")
    return packed.getvalue()


def _files() -> Iterator[tuple[str, Path]]:
    """Every file of the source: its path in a checkout, and where it lies here."""
    carried = _ROOT / "companion" / "data"
    data, around = (_ROOT, _ROOT) if (_ROOT / "pyproject.toml").exists() else (carried, carried / "source")
    for home, parts in ((_ROOT, _PACKAGES), (data, _DATA), (around, _AROUND)):
        for part in parts:
            for path in [home / part, *(home / part).rglob("*")]:
                inside = path.relative_to(home)
                if path.is_file() and not _made(inside):
                    yield inside.as_posix(), path


def _made(path: Path) -> bool:
    """Whether the program, or its build, has put the file there: it is no source, or comes from elsewhere."""
    return "__pycache__" in path.parts or path.name.startswith("_kernel.") or path.parts[:2] == ("companion", "data")
