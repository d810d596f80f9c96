"""Measures how well the referee records turns: `python -m scripts.measure_referee --turns 1500`.

Random games are laid out move by move (tests/laid_table.py) with the noise given, each turn from its own position,
and compared with what was played. Prints the shares the live table promises, with Wilson intervals.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import random
import time
from collections.abc import Iterator

from companion.changes import Doubt
from companion.referee import referee_for
from companion.table import Table
from engine.games import game
from engine.krone.state import State
from engine.record_header import new_record
from tests.laid_table import LaidTable, Noise
from tests.random_games import random_turns
from tests.simulated.script import Clear, steps
from tests.turn_score import Score, score


def main() -> None:
    """Lay out the turns and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=int, default=1, help="0: no kept row is known, only what did not move")
    parser.add_argument("--misread", type=float, default=0.004, help="share of thrown dice that seem something else")
    parser.add_argument("--hidden", type=float, default=0.004, help="share of thrown dice not seen for a moment")
    parser.add_argument("--show", type=int, default=0, help="print so many turns that were not recorded exactly")
    wanted = parser.parse_args()
    scores: list[Score] = []
    slowest = 0.0
    for begun, truth in _turns(wanted.seed, wanted.turns):
        noise = Noise(wanted.misread, wanted.hidden, random.Random(len(scores)))
        table, doubts, seconds = record_turn(begun, truth, LaidTable(len(scores), bool(wanted.rows), noise))
        scores.append(score(begun, truth, table, doubts))
        slowest = max(slowest, seconds)
        if not scores[-1].exact and wanted.show > 0:
            wanted.show -= 1
            print(f"\n{scores[-1]} {begun.tableau(begun.seat)}\n  true     {', '.join(truth)}")
            print(f"  recorded {', '.join(line.event for line in table.lines)}")
            for doubt in doubts:
                print(f"  {doubt.sentence} {doubt.answers}")
    clear = [one for one in scores if not one.ambiguous]
    several = [one for one in scores if one.ambiguous]
    print(f"{len(scores)} turns, {len(several)} of them with several explanations")
    print(f"one explanation, recorded exactly          {share([one.exact for one in clear])}   (promised 99 %)")
    print(f"one explanation, a doubt raised            {share([one.asked for one in clear])}")
    print(f"several, the true one in the first three   {share([one.offered for one in several])}   (promised 99 %)")
    print(
        f"wrong without a doubt                      {share([not o.exact and not o.asked for o in scores])}"
        "   (promised at most 0.2 %)"
    )
    print(f"longest time to judge one reading          {1000 * slowest:.0f} ms")


def record_turn(begun: State, truth: list[str], laid: LaidTable) -> tuple[Table, list[Doubt], float]:
    """The table after one turn, the doubts it raised, and the longest time one reading took."""
    names = [f"Player {seat}" for seat in begun.seats]
    header = new_record("krone", names, begun.rules.id, Position=game("krone").position_text(begun))
    table = Table(header, referee_for(header))
    slowest = 0.0
    for seen in laid.perform([*steps("\n".join(truth)), Clear()]):
        started = time.thread_time()
        if isinstance(seen, str):
            with contextlib.suppress(ValueError):  # refused: the turn was recorded wrongly, which is what we count
                table.enter(seen)
        else:
            table.see(seen)
        slowest = max(slowest, time.thread_time() - started)
    table.finish()
    doubts = [doubt for change in table.changes for doubt in change.doubts]
    return table, doubts, slowest


def share(good: list[bool]) -> str:
    """`99.31 %  (1479 of 1489, 98.7–99.6)` with the Wilson interval of 95 %."""
    n, k, z = len(good), sum(good), 1.96
    if not n:
        return "none"
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{100 * p:6.2f} %  ({k} of {n}, {100 * max(0.0, middle - half):.2f}–{100 * min(1.0, middle + half):.2f})"


def _turns(seed: int, count: int) -> Iterator[tuple[State, list[str]]]:
    found = 0
    for number in range(count):
        for begun, lines in random_turns(seed + number, 2 + number % 4):
            yield begun, lines
            found += 1
            if found == count:
                return


if __name__ == "__main__":
    main()
