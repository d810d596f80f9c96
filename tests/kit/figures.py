"""Measured figures: one JSON file for each measurement in `datasets/figures/`, and the page generated from them.

    python -m tests.kit.figures    # writes docs/benchmarks.md

A file holds title, question and method (`about`), command, date, commit, and the result: texts and tables, a table as a
list of rows, a row as an object from column to value.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "datasets" / "figures"
PAGE = ROOT / "docs" / "benchmarks.md"
Rows = Sequence[Mapping[str, object]]
Found = str | Rows
_HEAD = """# Benchmarks

Each command printed its figures at the commit named. At an older commit it may have had another name, and some commands
no longer exist: `git show COMMIT:scripts/NAME.py`. `--keep` puts the figures of a new run here. This page is made
from `datasets/figures/` by `python -m tests.kit.figures`.
"""


def report(name: str, title: str, about: str, *found: Found, keep: bool) -> None:
    """Prints the result; with `keep` it replaces the stored one of this name, and the page is regenerated."""
    print(markdown(found))
    if not keep:
        return
    measured = {
        "title": title,
        "about": about.strip(),
        "command": _command(),
        "measured": datetime.now(UTC).date().isoformat(),
        "code": code(),
        "found": found,
    }
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = json.dumps(measured, indent=1, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


def kept(name: str) -> Any:
    """The stored result with this name, as written by `report`; None if there is none."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def markdown(found: Sequence[Found]) -> str:
    """Texts and tables as Markdown; numbers get thousands separators."""
    return "\n\n".join(one.strip() if isinstance(one, str) else _table(one) for one in found)


def page() -> str:
    """The page with the results of all files."""
    parts = [_HEAD]
    for file in sorted(FOLDER.glob("*.json")):
        one = json.loads(file.read_text(encoding="utf-8"))
        made = f"Measured {one['measured']} by `{one['command']}`" + (f", code {one['code']}" if one["code"] else "")
        parts.append(f"## {one['title']}\n\n{one['about']}\n\n{made}.\n\n{markdown(one['found'])}\n")
    return "\n".join(parts)


def code() -> str:
    """The current commit, and whether the working tree has changes."""
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    tree = [*git, "status", "--porcelain", "--", "engine", "vision", "companion", "tests/kit"]
    return commit + (" with changes" if subprocess.run(tree, capture_output=True, text=True).stdout else "")


def machine() -> str:
    """The number of processor cores, and the load average over one minute."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"{os.cpu_count()} cores, load at the end {load}."


def _command() -> str:
    """The running command, with DIR for each path outside the working folder."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    begin = f"python -m {spec.name}" if spec else f"python {Path(sys.argv[0]).name}"
    words = ["DIR" if Path(word).is_absolute() else word for word in sys.argv[1:] if word != "--keep"]
    return shlex.join([*begin.split(), *words])


def _table(rows: Rows) -> str:
    columns = list(rows[0]) if rows else []
    lines = [columns, ["---"] * len(columns), *([_cell(row[column]) for column in columns] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
