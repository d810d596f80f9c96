"""Names in backticks in docstrings and documents exist."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOPS = ("engine", "vision", "companion", "scripts", "tests")
FILES = sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "models").glob("*.md")])
# What a commit of the past held is named with that commit.
NAMED = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`(?!\s+of\s+commit)")
PATHS = re.compile(rf"`((?:{'|'.join(TOPS)})[./][\w./]+)`(?!\s+of\s+commit)")
PROSE = re.compile(r"\"{3}(.*?)\"{3}|(?<![^\s])#([^\n]*)", re.DOTALL)  # docstrings and comments


@cache
def words() -> frozenset[str]:
    """All names in the code, words in its strings, and parts of file names."""
    found = {part for path in ROOT.rglob("*") if ".venv" not in path.parts for part in re.split(r"[./]", path.name)}
    for path in FILES:
        found.update(re.findall(r"\w+", PROSE.sub(" ", path.read_text("utf-8"))))
    for path in [*(ROOT / "companion").rglob("*.html"), *(ROOT / "companion").rglob("*.js"), *ROOT.glob("*.toml")]:
        found.update(re.findall(r"\w+", path.read_text("utf-8")))
    for path in [*(ROOT / "engine").rglob("*.h"), *(ROOT / "engine").rglob("*.c")]:
        found.update(re.findall(r"\w+", path.read_text("utf-8")))
    return frozenset(found)


def test_docstrings_and_comments_name_only_what_exists() -> None:
    gone = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in FILES
        for name in NAMED.findall(" ".join(chain(*PROSE.findall(path.read_text("utf-8")))))
        if not words().issuperset(name.strip(".").split("."))
    }
    assert not gone


def test_documents_name_only_files_and_modules_that_exist() -> None:
    for path in DOCUMENTS:
        for name in PATHS.findall(path.read_text("utf-8")):
            module = ROOT / name.replace(".", "/")
            places = (ROOT / name, module, module.with_suffix(".py"), module.parent.with_suffix(".py"))
            assert any(place.exists() for place in places), f"{path}: {name}"
