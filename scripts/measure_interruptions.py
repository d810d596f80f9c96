"""Measures whether interruptions damage the record: `python -m scripts.measure_interruptions --turns 200 --seed N`.

Before each simulated turn something unrelated to the game happens (`tests/kit/interruptions.py`): rolls for fun, a
wrong number of dice, a die on the floor, four turns of another game. Players wait, as in `measure_table`.

For each kind it prints the turns with an undamaged record (as played, or with the correct answer among the first
three), and of these the turns with at most one question that matters. `--keep` stores them.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from functools import partial
from typing import Any

import cv2

from scripts.measure_table import TABLES
from tests.kit import figures
from tests.kit.detected import DetectorErrors
from tests.kit.evaluation.photos import share
from tests.kit.interruptions import KINDS
from tests.kit.options import run
from tests.kit.played_turns import Turn, record_readings, simulated_readings, table_for
from tests.kit.played_turns import turns as random_turns
from tests.kit.turn_score import score

NOISE = DetectorErrors(missed=0.004, wrong=0.004, stubborn=0.0)  # as for players who wait in docs/benchmarks.md
TITLE = "Interruptions that are not the game"
ABOUT = """
Before each turn, simulated players roll for fun, roll a wrong number of dice, drop a die on the floor, or play four
turns of another game. A record is unharmed if the turn is recorded as played or the truth is among the first three
answers.
"""


def main(turns: int = 200, seed: int = 0, processes: int = 2, keep: bool = False) -> None:
    """Plays the turns and prints the counts."""
    played: Counter[str] = Counter()
    unharmed: Counter[str] = Counter()
    back: Counter[str] = Counter()
    todo = enumerate(random_turns(seed, turns))
    with multiprocessing.get_context("spawn").Pool(processes, partial(cv2.setNumThreads, 1)) as pool:
        for kind, well, questions in pool.imap_unordered(partial(judged, seed), todo, 4):
            for name in (kind, "all"):
                played[name] += 1
                unharmed[name] += well
                back[name] += well and questions <= 1
    rows = [
        {
            "before the turn": name,
            "turns": played[name],
            "unharmed": f"{unharmed[name]}, {share(unharmed[name], played[name])}",
            "with at most one question": f"{back[name]}, {share(back[name], played[name])}",
        }
        for name in (*KINDS, "all")
        if played[name]
    ]
    what = f"Code {figures.code()}, seed {seed}, {turns} turns. Targets: 99 % unharmed, 97 % with at most one question."
    figures.report("interruptions", TITLE, ABOUT, what, rows, keep=keep)


def judged(seed: int, turn: tuple[int, Turn]) -> tuple[str, bool, int]:
    """Plays a turn with an interruption before it. Returns the kind of interruption, whether the record is undamaged,
    and the number of questions that matter."""
    number, (begun, lines) = turn
    place = number + TABLES * seed
    table: Any = table_for(begun)
    questions = record_readings(table, simulated_readings(begun, lines, place, NOISE, interruption=True))
    found = score(begun, lines, table, questions)
    return KINDS[place % len(KINDS)], found.exact or found.offered, sum(one.matters for one in questions)


if __name__ == "__main__":
    run(main)
