"""The example of the record format, as the demo clip plays it: the one place tests and scripts take it from."""

from __future__ import annotations

from pathlib import Path

RECORD = (Path(__file__).parents[2] / "datasets" / "demo" / "demo.txt").read_text(encoding="utf-8")
EVENTS = RECORD.partition("\n\n")[2].rstrip("\n")
