"""Measures how well turns are recorded: `python -m scripts.measure_referee --turns 1500`.

Turns of random games are played on the simulated table without pictures, seen by a detector with the noise measured
on real photos (scripts/simulation/detected.py), and go through the whole live pipeline, each from its own position. Prints
the shares the live table promises, with Wilson intervals of 95 %.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence

from companion.game.table import Table
from companion.referee import referee_for
from engine.games import game
from engine.krone.state import State
from engine.record_header import new_record
from scripts.simulation.laid_table import LaidTable
from scripts.simulation.played_turns import detected, recorded, script_of, turns
from scripts.simulation.setting import LAYOUTS
from scripts.simulation.turn_score import Score, score
from vision.types import Reading


def main() -> None:
    """Play the turns and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--laid", action="store_true", help="lay readings out move by move instead: the referee alone")
    parser.add_argument("--show", type=int, default=0, help="print so many turns that were not recorded exactly")
    wanted = parser.parse_args()
    scores: list[Score] = []
    slow: list[float] = []
    for number, (begun, truth) in enumerate(turns(wanted.seed, wanted.turns)):
        table = Timed(begun, slow)
        seen = laid(begun, truth, number) if wanted.laid else detected(begun, truth, number)
        doubts = recorded(table, seen)
        events = [line.event for line in table.lines]
        scores.append(score(begun, truth, table, doubts))
        if not (scores[-1].exact or scores[-1].offered) and wanted.show > 0:
            wanted.show -= 1
            print(f"\n{number} {LAYOUTS[number % len(LAYOUTS)]} {scores[-1]} {' '.join(begun.tableau(begun.seat))}")
            print(f"  true     {', '.join(truth)}\n  recorded {', '.join(events)}")
            for doubt in doubts:
                print(f"  {doubt.sentence} {doubt.answers}")
    report(scores, slow)


def report(scores: list[Score], slow: list[float]) -> None:
    """Print the shares beside what is promised, by layout too."""
    clear = [one for one in scores if not one.ambiguous]
    several = [one for one in scores if one.ambiguous]
    print(f"{len(scores)} turns, {len(several)} of them with several explanations")
    print(f"one explanation, recorded exactly          {share([one.exact for one in clear])}   (promised 99 %)")
    print(f"one explanation, a doubt raised            {share([one.asked for one in clear])}")
    print(f"several, the true one in the first three   {share([one.offered for one in several])}   (promised 99 %)")
    silent = share([not one.exact and not one.asked for one in scores])
    print(f"silently wrong                      {silent}   (promised at most 0.2 %)")
    for place, layout in enumerate(LAYOUTS):
        part = scores[place :: len(LAYOUTS)]
        print(f"  {layout:8} exact or in the first three     {share([one.offered for one in part])}")
    slow.sort()
    spent = [1000 * slow[int(q * (len(slow) - 1))] for q in (0.5, 0.99, 1.0)]
    print("time to judge a reading, ms: median {:.2f}, 99 % {:.1f}, most {:.0f}".format(*spent))


class Timed(Table):
    """A table at a position that notes how long it takes over each reading, in seconds of this thread."""

    def __init__(self, begun: State, spent: list[float]) -> None:
        names = [f"Player {seat}" for seat in begun.seats]
        header = new_record("krone", names, begun.rules.id, Position=game("krone").position_text(begun))
        super().__init__(header, referee_for(header))
        self._spent = spent

    def see(self, reading: Reading) -> None:
        """As a table does, timed."""
        started = time.thread_time()
        super().see(reading)
        self._spent.append(time.thread_time() - started)


def laid(begun: State, truth: list[str], number: int) -> Iterator[tuple[Reading, Sequence[str]]]:
    """Readings of a turn laid out one a move, without noise and without the vision side."""
    table = LaidTable(number, rows=LAYOUTS[number % len(LAYOUTS)] != "nothing")
    last = table.read()
    for seen in table.perform(script_of(truth, begun.seat)):
        if isinstance(seen, str):
            yield last, (seen,)
        else:
            last = seen
            yield last, ()


def share(good: list[bool]) -> str:
    """`99.31 %  (1479 of 1489, 98.7–99.6)` with the Wilson interval of 95 %."""
    n, k, z = len(good), sum(good), 1.96
    if not n:
        return "none"
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{100 * p:6.2f} %  ({k} of {n}, {100 * max(0.0, middle - half):.2f}–{100 * min(1.0, middle + half):.2f})"


if __name__ == "__main__":
    main()
