"""The example of the record format that the demo film plays, for tests and scripts."""

from __future__ import annotations

from pathlib import Path

RECORD = (Path(__file__).parents[2] / "datasets" / "demo" / "demo.txt").read_text(encoding="utf-8")
EVENTS = RECORD.partition("\n\n")[2].rstrip("\n")
