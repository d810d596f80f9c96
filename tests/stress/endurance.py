#!/usr/bin/env python
"""Plays a long evening from the demo film at full speed, and measures memory, threads and open files.

    python -m tests.stress.endurance [--hours 8] [--rate 5] [--at-most MINUTES] [--keep]

The film repeats for this many hours at this many frames a second. Each repetition is a game in the archive. Growth
counts after the first tenth, because pools fill until then.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.referee import referee_for
from engine.record_header import new_record
from tests.kit import figures
from tests.kit.evaluation.live import resident_mebibytes
from tests.kit.options import run
from vision.dice.detector import Detector
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.types import Frame

ROOT = Path(__file__).resolve().parents[2]
FILM = ROOT / "datasets/demo/demo.mp4"
MOST_GROWTH = 0.05
TITLE = "Long evenings"
ABOUT = """
Does the program grow during a long evening?

One row per run: memory (MiB), threads and open files after a tenth of the run and at its end. Target: less than 5 %
growth. Limits of this test: the film is the demo, repeated; no pages are served meanwhile (*Fifty viewers* does
that).
"""
Use = tuple[float, int, int]  # MiB, threads, open files


def main(hours: float = 1.0, rate: float = 12.0, at_most: float = 1e6, keep: bool = False) -> int:
    """Returns status 1 if anything grows.

    Args:
        rate: Frames a second; the film has 12.
        at_most: Minutes after which it stops and reports its progress.
        keep: Add a row to the figures.
    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        played, games, seen, uses = _play(Path(folder), hours * 3600, rate, until=began + 60 * at_most)
    first, last = uses[len(uses) // 10], uses[-1]
    grown = last[0] / first[0] - 1
    fine = grown < MOST_GROWTH and last[1:] == first[1:]
    row: dict[str, object] = {
        "what": f"{played / 3600:.2f} h at {rate:g} a second",
        "pictures seen": seen,
        "games": games,
        "memory": f"{first[0]:.0f} → {last[0]:.0f} ({grown * 100:+.1f} %)",
        "threads": f"{first[1]} → {last[1]}",
        "open files": f"{first[2]} → {last[2]}",
        "processor seconds": round(time.process_time()),
        "seconds it took": round(time.monotonic() - began),
    }
    before = figures.kept("endurance")
    figures.report("endurance", TITLE, ABOUT, [*(before["found"][0] if before else ()), row], keep=keep)
    return int(not fine)


def _play(folder: Path, seconds: float, rate: float, until: float) -> tuple[float, int, int, list[Use]]:
    """Plays for these seconds of film, and starts no game after `until`.

    Returns:
        Seconds of film, games, frames, and the resources in use after each game.
    """
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


if __name__ == "__main__":
    run(main)
