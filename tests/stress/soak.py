#!/usr/bin/env python
"""Plays more than a whole evening in an hour, with faults, viewers and kills together, and watches what grows.

    nice -n 15 python -m tests.stress.soak [--minutes 60] [--viewers 8] [--keep]

A camera on the network shows the demo's film to the real command; every twenty-five seconds it fails, or the process
that reads it is killed or stopped. Viewers and players' phones hold event streams which break every quarter of a
minute, reload their page, and buy; a host opens every page there is. Three minutes by the film, then a game entered by
hand, as fast as it is taken, then a new one. Memory is told every minute, of the companion and of the process that
reads. In the last eighth of the time the companion itself is killed again and again, and begun with `--resume`. At the
end every line that a page has shown must be in the archive.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from pathlib import Path

from tests.kit import figures
from tests.kit.options import run
from tests.stress.soak_parts.evening import Evening, play
from tests.stress.soak_parts.telling import ABOUT, TITLE, report


def main(minutes: float = 60.0, viewers: int = 8, seed: int = random.randrange(10**6), keep: bool = False) -> int:
    """Status 1 when something was lost, a page failed, memory grew, or there was too little of anything."""
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder), seed, Counter())
        asyncio.run(play(evening, minutes * 60, viewers))
        evening.settle()
    found, fine = report(evening)
    figures.report("soak", TITLE, ABOUT, *found, keep=keep)
    return int(not fine)


if __name__ == "__main__":
    run(main)
