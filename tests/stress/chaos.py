#!/usr/bin/env python
"""Injects faults while a companion records games, and counts lost events.

    python -m tests.stress.chaos [--kills 500] [--evenings 5] [--only FAULT] [--keep]

Evenings of each fault are played until the numbers are reached. The counts are stored in local/chaos.json after each
evening, so an interrupted run continues; `--afresh` deletes them.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.kit import figures
from tests.kit.options import run
from tests.stress.chaos_parts.faults import FAULTS

KEPT = Path("local/chaos.json")
_COUNTS = {
    "tried": "times tried",
    "shown": "events shown",
    "lost": "lost",
    "doubled": "doubled",
    "unsaid": "not reported",
    "unseen": "unseen",
}
TITLE = "Killed programs and full disks"
ABOUT = """
Is anything lost when the program is killed, the disk is full or the database is gone?

A simulated table plays while the program is disturbed. An event is *lost* if it was shown or played but is not on
record at the end, *doubled* if it is there twice, *not reported* if a fault kept it from being recorded and the page
did not say so. *Unseen*: a roll ended while the program was dead, so players enter it by hand, with the dice set aside
before it. As a check, an archive that drops every twentieth commit was tested too: 90 events were counted as lost.
Limits of this test: the computer itself never loses power.
"""


def main(kills: int = 500, evenings: int = 5, only: str | None = None, afresh: bool = False, keep: bool = False) -> int:
    """Returns status 1 if an event was lost or doubled, or players were not informed of a failure.

    Args:
        kills: Number of SIGKILLs.
        evenings: Evenings of every other fault.
    """
    kept = json.loads(KEPT.read_text()) if KEPT.exists() and not afresh else {}
    for name, (evening, lacks) in FAULTS.items():
        if only not in (None, name):
            continue
        if missing := lacks():
            print(f"left out: {name}, it needs {missing}")
            continue
        done = kept.setdefault(name, [])
        while sum(e["tried"] for e in done) < kills if name == "killed" else len(done) < evenings:
            done.append(asdict(evening(len(done) + 1)))
            KEPT.parent.mkdir(exist_ok=True)
            KEPT.write_text(json.dumps(kept))
            print(_row(name, done), flush=True)
    rows = [_row(name, done) for name, done in kept.items() if done]
    figures.report("chaos", TITLE, ABOUT, rows, keep=keep)
    return int(any(e["lost"] or e["doubled"] or e["unsaid"] for done in kept.values() for e in done))


def _row(name: str, evenings: list[dict[str, Any]]) -> dict[str, object]:
    times = [seconds for e in evenings for seconds in e["recovered"]] or [0.0]
    return {
        "fault": name,
        **{said: sum(e[count] for e in evenings) for count, said in _COUNTS.items()},
        "seconds to recover, median (worst)": f"{statistics.median(times):.2f} ({max(times):.2f})",
    }


if __name__ == "__main__":
    run(main)
