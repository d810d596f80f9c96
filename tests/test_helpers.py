"""Helpers have modules of their own: a test module that others import cannot be moved, split or dropped by itself."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
IMPORTED = re.compile(r"^\s*from tests\.[\w.]*\btest_\w+ import", re.MULTILINE)


def test_no_module_imports_a_test_module() -> None:
    assert [path.stem for path in TESTS.rglob("*.py") if IMPORTED.search(path.read_text("utf-8"))] == []
