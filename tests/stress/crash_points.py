#!/usr/bin/env python
"""Lets an evening die at every single call that changes a file of the archive, and looks at what is left.

    python -m tests.stress.crash_points [--seed 1] [--stride 1] [--write docs/crash_points.md]

Needs Linux and a C compiler.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.stress.chaos_parts.crash_points import EVENTS, KINDS, Ending, Evenings, evenings

_HEAD = """# A crash at every write

Does the archive keep what it has shown, wherever in its work it is stopped?

Written by `python -m tests.stress.crash_points --write docs/crash_points.md`. A new archive is made, a game begun,
{events} events recorded with pictures, the list of games made, and the archive copied twice: {calls} calls change a
file (writes, truncations, syncs, deletions, renames, creations). For each of them the evening is played once with
each fault at that call. Afterwards the archive is opened again: it must open, no game or copy may be damaged, every
event that had been shown is on record, at most the one in flight besides, none twice, and the game goes on. *Power
lost* takes back everything written since each file was last synced. Where a call only fails, the program tries twice
more, as a player would tap again. Held against an archive that does not sync, the same script finds lost events at
{careless}.

Known limits: a name that was made or deleted in a directory is never forgotten; a disk that reports a sync it has not
made is not tried; a PostgreSQL server is another program's matter.

| fault | calls tried | evenings with something lost, doubled or damaged | events shown | on record |
|---|---|---|---|---|
"""


def main() -> int:
    """Status 1 when anything was lost, doubled or damaged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the game that is played")
    parser.add_argument("--stride", type=int, default=1, help="try every so many calls only")
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args()
    with evenings() as played:
        calls = played.play(0, 0, asked.seed).calls
        rows, fine = "", True
        for name, kind in KINDS.items():
            endings = [played.play(kind, at, asked.seed) for at in range(1, calls + 1, asked.stride)]
            rows += (row := _row(name, endings))
            print(row, end="", flush=True)
            fine &= not any(ending.wrong for ending in endings)
        careless = _careless(played, calls, asked.seed, asked.stride)
    print(f"without syncs: {careless}")
    if asked.write:
        text = _HEAD.format(events=EVENTS, calls=calls, careless=careless) + rows
        asked.write.write_text(text, encoding="utf-8")
    return int(not fine)


def _row(name: str, endings: list[Ending]) -> str:
    wrong = [ending for ending in endings if ending.wrong]
    for ending in wrong[:3]:
        print(name, ending, file=sys.stderr)
    promised, kept = sum(ending.promised for ending in endings), sum(ending.kept for ending in endings)
    return f"| {name} | {len(endings)} | {len(wrong)} | {promised:,} | {kept:,} |\n"


def _careless(played: Evenings, calls: int, seed: int, stride: int) -> str:
    """The control: the same loss of power, and SQLite told not to sync."""
    endings = [played.play(KINDS["power lost"], at, seed, careless=True) for at in range(1, calls + 1, 8 * stride)]
    return f"{sum(bool(ending.wrong) for ending in endings)} of {len(endings)} calls"


if __name__ == "__main__":
    sys.exit(main())
