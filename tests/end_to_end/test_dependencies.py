"""The wheel declares every package that the program imports."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLASKS = ("jinja2", "markupsafe", "werkzeug")  # Flask cannot be had without them
OPTIONAL = ("ultralytics", "torch", "openvino", "openskill", "psycopg")  # asked for only where they are


@pytest.mark.slow
def test_every_imported_package_is_declared() -> None:
    """Otherwise a package of the tests' environment hides what a fresh installation lacks."""
    declared = {_plain(re.split(r"[^\w.-]", line)[0]) for line in requires("courtside") or () if "extra ==" not in line}
    homes = packages_distributions()
    for file in (file for package in ("engine", "vision", "companion") for file in (ROOT / package).rglob("*.py")):
        for module in _imported(ast.parse(file.read_text(encoding="utf-8"))):
            if module in sys.stdlib_module_names or module in ("engine", "vision", "companion", *FLASKS, *OPTIONAL):
                continue
            assert {_plain(name) for name in homes[module]} & declared, f"{file} imports {module}"


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
