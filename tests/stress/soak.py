#!/usr/bin/env python
"""Soak test: more than a whole evening in an hour, with faults, viewers and kills, while memory is measured.

    nice -n 15 python -m tests.stress.soak [--minutes 60] [--viewers 8] [--keep]

A network camera shows the demo film to the real command. Every twenty-five seconds it fails, or the process that reads
it is killed or stopped. Viewers and players' phones hold event streams that break every quarter of a minute, reload
their page, and buy; a host opens every page. After three minutes of film a game is entered by hand as fast as it is
accepted, then a new one starts. Memory of the companion and of the reading process is reported every minute. In the
last eighth of the time the companion itself is killed repeatedly and restarted with `--resume`. At the end every line
that a page has shown must be in the archive.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from pathlib import Path

from tests.kit import figures
from tests.kit.options import run
from tests.stress.soak_parts.evening import SoakEvening, play
from tests.stress.soak_parts.report import ABOUT, TITLE, report


def main(minutes: float = 60.0, viewers: int = 8, seed: int = random.randrange(10**6), keep: bool = False) -> int:
    """Returns status 1 if an event was lost, a page failed, memory grew, or too little was played."""
    with tempfile.TemporaryDirectory() as folder:
        evening = SoakEvening(Path(folder), seed, Counter())
        asyncio.run(play(evening, minutes * 60, viewers))
        evening.settle()
    found, fine = report(evening)
    figures.report("soak", TITLE, ABOUT, *found, keep=keep)
    return int(not fine)


if __name__ == "__main__":
    run(main)
