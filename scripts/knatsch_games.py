"""Plays random games of Knatsch and checks invariants of every state: `python -m scripts.knatsch_games --games 10000`.

Two to six players; every fourth game has a deck with partly known cards. The invariants are in
tests/kit/knatsch_invariants.py. It prints a line for each thousand games and stops at the first violation, naming the
game, so that `--start N --games 1` repeats it.
"""

from __future__ import annotations

import time
from collections import Counter

from tests.kit import figures
from tests.kit.knatsch_invariants import check_game
from tests.kit.options import run

TITLE = "Random games of Knatsch"
ABOUT = """
Is a card ever lost or owned twice, and can every record and position be read back? Two to six players; every fourth
game has a deck with partly known cards. `tests/kit/knatsch_invariants.py` lists what is checked at every position.
"""


def main(games: int = 10_000, start: int = 0, keep: bool = False) -> int:
    """Plays the games and prints the figures; returns 1 after a violation.

    Args:
        start: Number of the first game.
    """
    sums, began = Counter[str](), time.process_time()
    for number in range(start, start + games):
        try:
            kept = check_game(number, read_record=number % 10 < 2)
        except AssertionError as broken:
            print(f"game {number}: broken: {broken!r}")
            return 1
        sums.update(games=1, events=kept.events, positions=kept.positions_read, records=kept.records_read)
        sums[f"won by {kept.end}" if kept.end != "unfinished" else "unfinished"] += 1
        if sums["games"] % 1000 == 0 or sums["games"] == games:
            print(summary(sums, time.process_time() - began), flush=True)
    figures.report("knatsch_games", TITLE, ABOUT, summary(sums, time.process_time() - began), keep=keep)
    return 0


def summary(sums: Counter[str], seconds: float) -> str:
    """The figures in one line: `10,000 games, 4,012,345 events, 0 violations …`"""
    ends = ", ".join(f"{word} {count:,}" for word, count in sorted(sums.items()) if word.startswith(("won", "unf")))
    return (
        f"{sums['games']:,} games, {sums['events']:,} events, 0 violations; {sums['records']:,} records and "
        f"{sums['positions']:,} positions read back; {ends}; {seconds / 60:.1f} minutes of processor time"
    )


if __name__ == "__main__":
    run(main)
