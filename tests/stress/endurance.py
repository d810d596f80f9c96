#!/usr/bin/env python
"""Plays a long evening from the demo's film as fast as it goes, and watches memory, threads and open files.

    python -m tests.stress.endurance [--hours 8] [--rate 5] [--at-most MINUTES] [--write docs/endurance.md]

The film is repeated until so many hours at so many pictures a second have passed; every game is kept in an archive and
ended with its film, as the next one begins. What grows is told from the first tenth on: pools fill until then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from companion.archive.store import Archive
from companion.bench.live import resident_mebibytes
from companion.game.archived import game_repository
from companion.game.referee import referee_for
from engine.record_header import new_record
from vision.dice.detector import Detector
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.types import Frame

ROOT = Path(__file__).resolve().parents[2]
FILM = ROOT / "datasets/demo/demo.mp4"
MOST_GROWTH = 0.05
Use = tuple[float, int, int]  # MiB, threads, open files


def main() -> int:
    """Status 1 when something grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=12.0, help="pictures a second; the film has 12")
    parser.add_argument("--at-most", type=float, default=1e6, metavar="MINUTES", help="then stop, and tell how far")
    parser.add_argument("--write", type=Path, metavar="FILE", help="add a row to the table there")
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        played, games, seen, uses = _play(
            Path(folder), asked.hours * 3600, asked.rate, until=began + 60 * asked.at_most
        )
    first, last = uses[len(uses) // 10], uses[-1]
    grown = last[0] / first[0] - 1
    fine = grown < MOST_GROWTH and last[1:] == first[1:]
    row = (
        f"| {played / 3600:.2f} h at {asked.rate:g} a second | {seen:,} | {games} | {first[0]:.0f} → {last[0]:.0f} "
        f"({grown * 100:+.1f} %) | {first[1]} → {last[1]} | {first[2]} → {last[2]} | "
        f"{time.process_time():.0f} | {time.monotonic() - began:.0f} |\n"
    )
    print(row, end="")
    if asked.write:
        _add(asked.write, row)
    return int(not fine)


def _play(folder: Path, seconds: float, rate: float, until: float) -> tuple[float, int, int, list[Use]]:
    """Seconds of film, games, pictures seen, and what was in use after each game; no game begins after `until`."""
    archive, watch = (
        Archive(f"sqlite:///{(folder / 'archive.sqlite3').as_posix()}"),
        Pipeline(Detector(ROOT / "models")),
    )
    games, seen, offset, due = 0, 0, 0.0, 0.0
    uses: list[Use] = []
    while offset < seconds and time.monotonic() < until:
        record = new_record("krone", ("Anna", "Bert"))
        _, table = game_repository.begin(archive, record, referee_for(record))
        now = 0.0
        for frame in frames(str(FILM)):
            assert isinstance(frame, Frame)
            now = offset + frame.seconds
            if now >= due:
                table.see(watch.step(replace(frame, seconds=now, number=seen)))
                seen, due = seen + 1, now + 1 / rate - 1e-3
        table.finish()
        games, offset = games + 1, now + 1 / 12
        uses.append((resident_mebibytes() or 0.0, _entries("task"), _entries("fd")))
    archive.close()
    return offset, games, seen, uses


def _entries(kind: str) -> int:
    return sum(1 for _ in Path("/proc/self", kind).iterdir())


_HEAD = """# Long evenings

Does the program grow in a long evening?

Written by `python -m tests.stress.endurance --write docs/endurance.md`, a row a run: memory (MiB), threads, open files
after a tenth of the run and at its end. Growth of 5 % would be too much. Known limits: the film is the demo's, again
and again; no page is served meanwhile (`docs/load.md` does that for an hour).

| what | pictures seen | games | memory | threads | open files | processor seconds | seconds it took |
|---|---|---|---|---|---|---|---|
"""


def _add(file: Path, row: str) -> None:
    before = file.read_text(encoding="utf-8") if file.exists() else _HEAD
    file.write_text(before + row, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
