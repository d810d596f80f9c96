"""How well whole turns are recorded from the simulated table: `python -m scripts.measure_table --turns 1500`.

Random turns of two to five players, three layouts, every card in use. Without pictures (the default) the detector's
mistakes are drawn from the noise given; with `--rendered` every turn is thrown, filmed and read by the shipped model.
Prints the shares the live table promises with Wilson intervals, in all and by layout.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from companion.settled import load_detector
from scripts.measure_referee import share
from tests.played_turns import detected, filmed, recorded, table_for, turns
from tests.simulated.detected import Noise
from tests.simulated.setting import LAYOUTS
from tests.turn_score import Score, score


def main() -> None:
    """Play the turns and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first turn")
    parser.add_argument("--rendered", action="store_true", help="throw, film and read with the shipped model")
    parser.add_argument("--model", type=Path, help="weights, the shipped ones if left out")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--missed", type=float, default=Noise().missed)
    parser.add_argument("--wrong", type=float, default=Noise().wrong)
    parser.add_argument("--stubborn", type=float, default=Noise().stubborn)
    parser.add_argument("--show", type=int, default=0, help="print so many turns that were not recorded exactly")
    wanted = parser.parse_args()
    noise = Noise(missed=wanted.missed, wrong=wanted.wrong, stubborn=wanted.stubborn)
    eyes = load_detector(wanted.model) if wanted.rendered else None
    scores: list[Score] = []
    started = time.perf_counter()
    for number, (begun, lines) in enumerate(turns(wanted.seed, wanted.start + wanted.turns)):
        if number < wanted.start:
            continue
        if eyes is not None:
            seen = filmed(begun, lines, number, eyes, wanted.fps)
        else:
            seen = detected(begun, lines, number, noise, wanted.fps)
        table = table_for(begun)
        doubts = recorded(table, seen)
        scores.append(score(begun, lines, table, doubts))
        if not scores[-1].exact and wanted.show > 0:
            wanted.show -= 1
            print(f"\nturn {number}, {LAYOUTS[number % 3]}: {scores[-1]} {begun.tableau(begun.seat)}")
            print(f"  true     {', '.join(lines)}\n  recorded {', '.join(line.event for line in table.lines)}")
            for doubt in doubts:
                print(f"  {doubt.sentence} {doubt.answers}")
    print(f"{len(scores)} turns in {time.perf_counter() - started:.0f} s")
    report("all layouts", scores)
    for i, layout in enumerate(LAYOUTS):
        report(layout, [one for number, one in enumerate(scores, wanted.start) if number % len(LAYOUTS) == i])


def report(name: str, scores: Sequence[Score]) -> None:
    """The shares of these turns."""
    clear = [one for one in scores if not one.ambiguous]
    several = [one for one in scores if one.ambiguous]
    print(f"{name}: {len(scores)} turns, {len(several)} with several explanations")
    print(f"  one explanation, recorded exactly          {share([one.exact for one in clear])}   (promised 99 %)")
    print(f"  one explanation, a doubt raised            {share([one.asked for one in clear])}")
    print(f"  several, the true one in the first three   {share([one.offered for one in several])}   (promised 99 %)")
    wrong = share([not one.exact and not one.asked for one in scores])
    print(f"  wrong without a doubt                      {wrong}   (promised at most 0.2 %)")


if __name__ == "__main__":
    main()
