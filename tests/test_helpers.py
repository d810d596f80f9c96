"""Tests can be moved, split and run alone, and the mutations still match the code."""

from __future__ import annotations

import re
from pathlib import Path

from tests.stress.mutations import BREAKS, ROOT

TESTS = Path(__file__).parent
IMPORTED = re.compile(r"^\s*from tests\.[\w.]*\btest_\w+ import", re.MULTILINE)


def test_no_module_imports_a_test_module() -> None:
    assert [path.stem for path in TESTS.rglob("*.py") if IMPORTED.search(path.read_text("utf-8"))] == []


def test_every_mutation_still_applies() -> None:
    """Bug: two mutations replaced code that no longer existed, so they tested nothing."""
    assert [one for one in BREAKS if (ROOT / one.file).read_text("utf-8").count(one.old) != 1] == []
    assert [one for one in BREAKS for name in one.tests.split() if not (TESTS / name).exists()] == []
