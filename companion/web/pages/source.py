"""Offers the source of the program to everyone who uses it over a network, as the AGPL (section 13) requires.

A checkout offers all of itself. An installed wheel offers what it can be built from: its packages, its data and the
build files. Tests, docs and training scripts are in the source archive that `make dist` builds; if COURTSIDE_SOURCE
names that file, the page offers it instead.
"""

from __future__ import annotations

import os
import shutil
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
from companion.web.stored import FileBody

blueprint = Blueprint("source", __name__)
_ROOT = Path(__file__).parents[3]
_DISK = Path("/var/tmp")  # preferred, because /tmp is in memory on many computers
_packing = threading.Lock()
_PACKAGES = ("companion", "engine", "vision")
_DATA = ("models", "datasets")
_AROUND = (
    ".ci",
    ".dockerignore",
    ".github",
    ".gitignore",
    ".pre-commit-config.yaml",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "Dockerfile",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "compose.yaml",
    "constraints.txt",
    "docs",
    "pyproject.toml",
    "scripts",
    "tests",
)


@blueprint.get("/source")
@needs(Right.NONE)
def download() -> Response | tuple[str, int]:
    """The source as one archive, packed on the first request."""
    try:
        with _packing:
            name, archive = _archive()
    except OSError as error:
        sentence = gettext("The source code could not be packed: %(why)s", why=error.strerror or str(error))
        return render_template("failed.html", heading=gettext("That did not work"), sentence=sentence), 503
    headers = {"Content-Disposition": f"attachment; filename={name}", "Content-Length": str(len(archive))}
    kind = "application/zip" if name.endswith(".zip") else "application/gzip"
    return Response(archive, mimetype=kind, headers=headers, direct_passthrough=True)


@cache
def _archive() -> tuple[str, FileBody]:
    """File name and content of the archive.

    Raises:
        OSError: It cannot be packed or read.
    """
    built = os.environ.get("COURTSIDE_SOURCE")
    # The file has no name, so no other program can shorten it during a download.
    file = tempfile.TemporaryFile(dir=_DISK if _DISK.is_dir() else None)  # noqa: SIM115  # stays open
    if built:
        with Path(built).open("rb") as archive:
            shutil.copyfileobj(archive, file)
    else:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for inside, path in sorted(_files()):
                packed.write(path, f"courtside/{inside}")
    return Path(built or "courtside-source.zip").name, FileBody(file)


def _files() -> Iterator[tuple[str, Path]]:
    """Every source file: its path in a checkout, and its path here."""
    wheel = _ROOT / "companion" / "data"
    homes: list[tuple[Path, tuple[str, ...]]] = [(_ROOT, _PACKAGES)]
    if (_ROOT / "pyproject.toml").exists():
        homes.append((_ROOT, (*_DATA, *_AROUND)))
    else:
        homes += [(wheel, _DATA), (wheel / "source", (".",))]
    for home, parts in homes:
        for part in parts:
            for path in [home / part, *(home / part).rglob("*")]:
                inside = path.relative_to(home)
                if path.is_file() and not _made(inside):
                    yield inside.as_posix(), path


def _made(path: Path) -> bool:
    """Whether the program or its build generated the file."""
    return "__pycache__" in path.parts or path.name.startswith("_kernel.") or path.parts[:2] == ("companion", "data")
