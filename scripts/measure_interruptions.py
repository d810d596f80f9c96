"""Whether interruptions leave the record unharmed: `python -m scripts.measure_interruptions --turns 200 --seed N`.

Before each simulated turn something happens that is not this game (`tests/kit/interruptions.py`): rolls for
fun, a wrong number of dice, a die on the floor, four turns of another game. Players wait, as in `measure_table`.

Prints, for each kind: turns whose record is unharmed (as played, or with the truth among the first three answers), and
of these the turns with at most one question that matters. `--json FILE` writes the counts too.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from scripts.measure_table import TABLES, code
from tests.kit.detected import Noise
from tests.kit.interruptions import KINDS
from tests.kit.played_turns import Turn, detected, recorded, table_for, turns
from tests.kit.turn_score import score

NOISE = Noise(missed=0.004, wrong=0.004, stubborn=0.0)  # as for players who wait in docs/live_table.md


def main() -> None:
    """Play the turns and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="file to write the counts to")
    wanted = parser.parse_args()
    played: Counter[str] = Counter()
    unharmed: Counter[str] = Counter()
    back: Counter[str] = Counter()
    todo = enumerate(turns(wanted.seed, wanted.turns))
    with multiprocessing.get_context("spawn").Pool(wanted.processes, partial(cv2.setNumThreads, 1)) as pool:
        for kind, well, questions in pool.imap_unordered(partial(judged, wanted.seed), todo, 4):
            for name in (kind, "all"):
                played[name] += 1
                unharmed[name] += well
                back[name] += well and questions <= 1
    print(f"code {code()}, seed {wanted.seed}, {wanted.turns} turns: unharmed, with at most one question")
    for name in (*KINDS, "all"):
        print(f"{name:14} {unharmed[name]:4} of {played[name]:4}, {back[name]:4}")
    if wanted.json:
        counts = {name: [played[name], unharmed[name], back[name]] for name in (*KINDS, "all")}
        wanted.json.write_text(json.dumps({"code": code(), "seed": wanted.seed, "counts": counts}, indent=1) + "\n")


def judged(seed: int, turn: tuple[int, Turn]) -> tuple[str, bool, int]:
    """The kind of interruption before a turn, whether its record is unharmed, and how many questions matter."""
    number, (begun, lines) = turn
    place = number + TABLES * seed
    table: Any = table_for(begun)
    questions = recorded(table, detected(begun, lines, place, NOISE, interruption=True))
    found = score(begun, lines, table, questions)
    return KINDS[place % len(KINDS)], found.exact or found.offered, sum(one.matters for one in questions)


if __name__ == "__main__":
    main()
