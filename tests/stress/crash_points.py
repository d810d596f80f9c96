#!/usr/bin/env python
"""Kills the program at every single call that changes a file of the archive, and checks the result.

    python -m tests.stress.crash_points [--seed 1] [--stride 1] [--keep]

Needs Linux and a C compiler.
"""

from __future__ import annotations

import sys

from tests.kit import figures
from tests.kit.options import run
from tests.stress.chaos_parts.crash_points import EVENTS, KINDS, CrashOutcome, Evenings, evenings

TITLE = "A crash at every write"
ABOUT = """
Does the archive keep what the page has shown, wherever its work is interrupted?

A new archive is created, a game of {events} events with pictures is recorded and the archive is copied twice. {calls}
calls change a file (write, truncate, sync, delete, rename, create). For each call and each fault, the evening is
played once. Afterwards the archive must open, no game or copy may be damaged, every event shown must be on record
exactly once (at most one in flight in addition), and the game must go on. *Power lost* takes back everything written
since each file was last synced. If a call only fails, the program tries twice more, as a player would tap again. As a
check, an archive that does not sync loses events at {careless}.

Limits of this test: directory entries are never forgotten; disks that report a sync they have not made, and
PostgreSQL servers, are not tested.
"""


def main(seed: int = 1, stride: int = 1, keep: bool = False) -> int:
    """Returns status 1 if an event was lost or doubled, or the archive is damaged.

    Args:
        seed: Of the game.
        stride: Try only every n-th call.
    """
    with evenings() as played:
        calls = played.play(0, 0, seed).calls
        rows, fine = list[dict[str, object]](), True
        for name, kind in KINDS.items():
            endings = [played.play(kind, at, seed) for at in range(1, calls + 1, stride)]
            rows.append(_row(name, endings))
            print(rows[-1], flush=True)
            fine &= not any(ending.wrong for ending in endings)
        careless = _careless(played, calls, seed, stride)
    about = ABOUT.format(events=EVENTS, calls=calls, careless=careless)
    figures.report("crash_points", TITLE, about, rows, keep=keep)
    return int(not fine)


def _row(name: str, endings: list[CrashOutcome]) -> dict[str, object]:
    wrong = [ending for ending in endings if ending.wrong]
    for ending in wrong[:3]:
        print(name, ending, file=sys.stderr)
    return {
        "fault": name,
        "calls tried": len(endings),
        "evenings with something lost, doubled or damaged": len(wrong),
        "events shown": sum(ending.promised for ending in endings),
        "on record": sum(ending.kept for ending in endings),
    }


def _careless(played: Evenings, calls: int, seed: int, stride: int) -> str:
    """A control: the same power cuts while SQLite does not sync. The test must detect the loss."""
    endings = [played.play(KINDS["power lost"], at, seed, careless=True) for at in range(1, calls + 1, 8 * stride)]
    return f"{sum(bool(ending.wrong) for ending in endings)} of {len(endings)} calls"


if __name__ == "__main__":
    run(main)
