"""Plays random games of Knatsch and checks every position of them: `python -m scripts.knatsch_games --games 10000`.

Two to six players; every fourth game with a deck whose cards are partly known. What is checked stands in
tests/kit/knatsch_promises.py. One line each thousand games, the sum at the end; stops at the first broken
promise and says in which game, so that `--start N --games 1` plays it again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.kit.knatsch_promises import keeps_every_promise


def main() -> int:
    """Play the games, print the figures; 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--start", type=int, default=0, help="number of the first game")
    asked = parser.parse_args()
    sums, began = Counter[str](), time.process_time()
    for number in range(asked.start, asked.start + asked.games):
        try:
            kept = keeps_every_promise(number, read_record=number % 10 < 2)
        except AssertionError as broken:
            print(f"game {number}: broken: {broken!r}")
            return 1
        sums.update(games=1, events=kept.events, positions=kept.positions_read, records=kept.records_read)
        sums[f"won by {kept.end}" if kept.end != "unfinished" else "unfinished"] += 1
        if sums["games"] % 1000 == 0 or sums["games"] == asked.games:
            print(summary(sums, time.process_time() - began), flush=True)
    return 0


def summary(sums: Counter[str], seconds: float) -> str:
    """`10,000 games, 4,012,345 events, 0 broken promises …`"""
    ends = ", ".join(f"{word} {count:,}" for word, count in sorted(sums.items()) if word.startswith(("won", "unf")))
    return (
        f"{sums['games']:,} games, {sums['events']:,} events, 0 broken promises; {sums['records']:,} records and "
        f"{sums['positions']:,} positions read back; {ends}; {seconds / 60:.1f} minutes of processor time"
    )


if __name__ == "__main__":
    sys.exit(main())
