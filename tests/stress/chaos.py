#!/usr/bin/env python
"""Hurts a recording companion in every way a games night knows, and counts what was lost.

    python -m tests.stress.chaos [--kills 500] [--evenings 5] [--only FAULT] [--keep]

Evening after evening of each fault is played until the numbers are reached. The counts are kept in local/chaos.json
after each evening, so a long run that was stopped goes on where it stopped; `--afresh` forgets them.
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
    "unsaid": "not told",
    "unseen": "unseen",
}
TITLE = "What a games night can do, and what it cost"
ABOUT = """
Is anything lost when the program is killed, the disk is full or the database gone?

A simulated table plays while the program is hurt; an event counts as lost when it had been shown, or was played on
the table, and is not on record at the end, and as doubled when it is there twice. *Not told*: a fault kept an event
from being recorded and the page did not say so. *Unseen*: a throw ended while the program was dead, in the very
values that lay there before it; no picture tells it from dice left lying, so the players enter it by hand, and so
does the table. Held against an archive that was made to drop every twentieth commit, the same script counted 90
events lost in one evening and ended with status 1; `tests/end_to_end/test_chaos.py` holds it against one that
forgets. Known limits: the computer itself never loses its power, so what a disk promises and does not keep is not
tried.
"""


def main(kills: int = 500, evenings: int = 5, only: str | None = None, afresh: bool = False, keep: bool = False) -> int:
    """Status 1 when anything was lost, doubled, or kept from the players.

    Args:
        kills: SIGKILLs to try.
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
