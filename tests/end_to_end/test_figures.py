"""The page of figures shows the files in `datasets/figures/`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit import figures


def test_the_page_shows_the_figures_as_they_are_kept() -> None:
    assert figures.PAGE.read_text(encoding="utf-8") == figures.page(), "run python -m tests.kit.figures"


def test_reported_figures_are_kept_only_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(figures, "FOLDER", tmp_path / "figures")
    monkeypatch.setattr(figures, "PAGE", tmp_path / "benchmarks.md")
    monkeypatch.setattr("sys.argv", ["measure.py", "--photos", str(tmp_path), "--keep"])
    rows = [{"fault": "killed", "tried": 1590}]
    figures.report("chaos", "Chaos", "Is anything lost?", rows, keep=False)
    assert "| killed | 1,590 |" in capsys.readouterr().out
    assert not (tmp_path / "figures").exists()

    figures.report("chaos", "Chaos", "Is anything lost?", rows, "Nothing is lost.", keep=True)
    kept = json.loads((tmp_path / "figures" / "chaos.json").read_text(encoding="utf-8"))
    assert kept["found"] == [rows, "Nothing is lost."]
    assert "--photos DIR" in kept["command"], "a folder of this machine would be published"
    assert "Nothing is lost." in (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
