#!/usr/bin/env python
"""Lets a camera on the network fail in every way, and measures how soon the page says so and how soon it reads again.

python -m scripts.camera_faults [--only FAULT] [--times 3] [--write docs/camera-faults.md]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.faulty_camera import FAULTS, watched_table

_HEAD = """# What goes wrong with cameras

Written by `python -m scripts.camera_faults --write docs/camera-faults.md`: a camera on the network shows a table
with three dice and fails for real. Seconds until the page says so (promised: 2), and from its end until the dice are
read again without a restart; worst of all tries. No event was invented, or the script would have stopped.

| fault | tries | seconds until it is said | seconds until dice are read again |
|---|---|---|---|
"""


def main() -> int:
    """Status 1 when a fault was said later than promised."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=FAULTS)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args()
    table, late = _HEAD, False
    with tempfile.TemporaryDirectory() as folder, watched_table(Path(folder)) as watched:
        for name, fault in FAULTS.items():
            if asked.only in (None, name):
                tries = [watched.suffer(fault) for _ in range(asked.times)]
                said, again = (max(times) for times in zip(*tries, strict=True))
                late = late or said > 2.0
                row = f"| {name} | {asked.times} | {said:.2f} | {again:.2f} |"
                print(row, flush=True)
                table += row + "\n"
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    table += f"\nOn {os.cpu_count()} cores whose load (1 min) at the end was {load:.1f}.\n"
    if asked.write:
        asked.write.write_text(table, encoding="utf-8")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
