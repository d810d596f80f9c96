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
from companion.web.file_body import FileBody
from companion.web.pairing import Right
from companion.web.security import needs

blueprint = Blueprint("source", __name__)
_ROOT = Path(__file__).parents[3]
_TEMPORARY_FOLDER = Path("/var/tmp")  # preferred, because /tmp is in memory on many computers
_packing = threading.Lock()
_PACKAGES = ("companion", "engine", "vision")
_DATA = ("models", "datasets")
_PROJECT_FILES = (
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
    source_file = os.environ.get("COURTSIDE_SOURCE")
    # The file has no name, so no other program can shorten it during a download.
    file = tempfile.TemporaryFile(dir=_TEMPORARY_FOLDER if _TEMPORARY_FOLDER.is_dir() else None)  # noqa: SIM115  # stays open
    if source_file:
        with Path(source_file).open("rb") as archive:
            shutil.copyfileobj(archive, file)
    else:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for relative, path in sorted(_files()):
                packed.write(path, f"courtside/{relative}")
    return Path(source_file or "courtside-source.zip").name, FileBody(file)


def _files() -> Iterator[tuple[str, Path]]:
    """Every source file: its path in a checkout, and its path here."""
    wheel = _ROOT / "companion" / "data"
    roots: list[tuple[Path, tuple[str, ...]]] = [(_ROOT, _PACKAGES)]
    if (_ROOT / "pyproject.toml").exists():
        roots.append((_ROOT, (*_DATA, *_PROJECT_FILES)))
    else:
        roots += [(wheel, _DATA), (wheel / "source", (".",))]
    for root, parts in roots:
        for part in parts:
            for path in [root / part, *(root / part).rglob("*")]:
                relative = path.relative_to(root)
                if path.is_file() and not _is_generated(relative):
                    yield relative.as_posix(), path


def _is_generated(path: Path) -> bool:
    """Whether the program or its build generated the file."""
    return "__pycache__" in path.parts or path.name.startswith("_kernel.") or path.parts[:2] == ("companion", "data")
