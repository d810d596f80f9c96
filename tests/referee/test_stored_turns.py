"""Simulated turns in files, on which referees are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import stored_turns
from tests.kit.stored_turns import StoredTurn, read_turns, store_turns


def test_turns_stored_by_other_code_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: after an attribute of a die was renamed, stored readings gave it the value of another one."""
    file, turn = tmp_path / "turns.seen", StoredTurn(3, "mat", None, ("A roll 5 2 1",), ())
    assert list(store_turns(file, [turn])) == [turn]
    assert list(read_turns(file)) == [turn]
    monkeypatch.setattr(stored_turns, "FORMAT", ())
    with pytest.raises(ValueError, match="other code"):
        list(read_turns(file))
