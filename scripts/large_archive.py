#!/usr/bin/env python
"""Compares how fast the pages are with the archive of one evening and of two hundred.

    python -m scripts.large_archive [--evenings 200] [--write docs/large_archive.md]

Both archives hold games of the same make; the pages are asked for over HTTP, one after the other.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from scripts.simulation.large_archive import EVENTS, GAMES_AN_EVENING, fill
from scripts.simulation.served_app import served_app

TIMES = 20
PAGES = ("/", "/new", "/history", "/history/GAME", "/history/GAME/review", "/players", "/cards?game=krone", "/invite")
_HEAD = """# A large archive

Are the pages as fast after two hundred evenings as after one?

Written by `python -m scripts.large_archive --write docs/large_archive.md`: {many} evenings of {games} games of about
{events} events each, with a small picture of every throw ({size:.0f} MB), against one such evening. Each page is asked
for over HTTP {times} times, milliseconds; *first* is the first time after the program was started, when nothing has
been worked out yet. A page that an archive does not have is left out.

Known limits: one visitor, nothing else running; a disk that has read the file before; games of two.

| page | first: 1 | {many} | median: 1 | {many} | worst: 1 | {many} | kB, {many} |
|---|---|---|---|---|---|---|---|
"""


def main() -> int:
    """Status 1 when a page's median is more than half again as long, and more than 20 ms longer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=200)
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        small, large = Path(name, "small"), Path(name, "large")
        for folder, evenings in ((small, 1), (large, asked.evenings)):
            folder.mkdir()
            fill(folder / "archive.sqlite3", evenings)
        size = (large / "archive.sqlite3").stat().st_size / 1e6
        few, many = dict(_pages(small)), dict(_pages(large))
    text = _HEAD.format(many=asked.evenings, games=GAMES_AN_EVENING, events=EVENTS, size=size, times=TIMES)
    fine = True
    for page in few.keys() & many.keys():
        (first, times, _), (first_many, times_many, weight) = few[page], many[page]
        one, other = statistics.median(times), statistics.median(times_many)
        fine &= other < 1.5 * one or other < one + 20
    for page in [page for page in PAGES if page in few and page in many]:
        (first, times, _), (first_many, times_many, weight) = few[page], many[page]
        text += (
            f"| {page} | {first:.0f} | {first_many:.0f} | {statistics.median(times):.1f} | "
            f"{statistics.median(times_many):.1f} | {max(times):.0f} | {max(times_many):.0f} | {weight / 1000:.0f} |\n"
        )
    text += f"\n{os.cpu_count()} cores, load at the end {os.getloadavg()[0]:.1f}.\n"
    print(text)
    if asked.write:
        asked.write.write_text(text, encoding="utf-8")
    return int(not fine)


def _pages(folder: Path) -> Iterator[tuple[str, tuple[float, list[float], int]]]:
    """Of each page: milliseconds of the first time and of the next ones, and its bytes."""
    with served_app(folder, resume="") as running_app:
        for page in PAGES:
            address = running_app.server.address + page.replace("GAME", "g00001")
            try:
                first, weight = _asked(address)
            except urllib.error.HTTPError as error:
                error.close()
                continue
            yield page, (first, [_asked(address)[0] for _ in range(TIMES)], weight)


def _asked(address: str) -> tuple[float, int]:
    began = time.perf_counter()
    with urllib.request.urlopen(address) as answer:
        weight = len(answer.read())
    return 1000 * (time.perf_counter() - began), weight


if __name__ == "__main__":
    sys.exit(main())
