#!/usr/bin/env python
"""Plays more than a whole evening in an hour, with faults, viewers and kills together, and watches what grows.

    nice -n 15 python -m tests.stress.soak [--minutes 60] [--viewers 8] [--write docs/soak.md]

A camera on the network shows the demo's film to the real command; every twenty-five seconds it fails, or the process
that reads it is killed or stopped. Viewers and players' phones hold event streams which break every quarter of a
minute, reload their page, and buy; a host opens every page there is. Three minutes by the film, then a game entered by
hand, as fast as it is taken, then a new one. Memory is told every minute, of the companion and of the process that
reads. In the last eighth of the time the companion itself is killed again and again, and begun with `--resume`. At the
end every line that a page has shown must be in the archive.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.stress.soak_parts.evening import Evening, play
from tests.stress.soak_parts.telling import report


def main() -> int:
    """Status 1 when something was lost, a page failed, memory grew, or there was too little of anything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--viewers", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder), asked.seed, Counter())
        asyncio.run(play(evening, asked.minutes * 60, asked.viewers))
        evening.settle()
    text, fine = report(evening)
    print(text)
    if asked.write:
        asked.write.write_text(text, encoding="utf-8")
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
