"""The source of the very program that runs, as the AGPL wants it offered to everyone who uses it over a network."""

from __future__ import annotations

import tempfile
import threading
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, render_template

from companion.i18n.languages import gettext
from companion.web.pairing import Right
from companion.web.security import needs
from companion.web.stored import Stored

blueprint = Blueprint("source", __name__)
_ROOT = Path(__file__).parents[3]
_DISK = Path("/var/tmp")  # where there is one: /tmp lies in memory on many a computer
_packing = threading.Lock()
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
def download() -> Response | tuple[str, int]:
    """Everything that runs here, and what builds, tests and describes it, packed when it is first asked for."""
    try:
        with _packing:
            packed = _packed()
    except OSError as error:
        sentence = gettext("The source code could not be packed: %(why)s", why=error.strerror or str(error))
        return render_template("failed.html", heading=gettext("That did not work"), sentence=sentence), 503
    headers = {"Content-Disposition": "attachment; filename=courtside-source.zip", "Content-Length": str(len(packed))}
    return Response(packed, mimetype="application/zip", headers=headers, direct_passthrough=True)


@cache
def _packed() -> Stored:
    """What a checkout holds, as a ZIP archive; the same from a wheel. Raises OSError.

    It lies in a file without a name, which goes with the program, however that ends.
    """
    file = tempfile.TemporaryFile(dir=_DISK if _DISK.is_dir() else None)  # noqa: SIM115  # stays open
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, path in sorted(_files()):
            archive.write(path, f"courtside/{inside}")
    return Stored(file)


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
