"""From rest to the record: `python -m scripts.measure_rest --turns 60 --seed N [--fps 15,30] [--hurried]`.

Turns of random games at the simulated table. Of every roll it is known when the last of its dice came to rest, though a
hand may have taken others before. Printed: after how many seconds a settled reading showed what was rolled and the roll
stood in the record (without the time the networks take, which `courtside bench live` prints), and of the rolls never
recorded, whether any reading had shown them: what no reading shows is lost by vision, the rest by the referee. Of a
roll shown by no frame one die at least lay still and uncovered in none: nobody could have read it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from tests.kit.hurry import HURRIED
from tests.kit.played_turns import turns
from tests.kit.rest import Roll, rolls_of

TABLES = 999_999  # tables a seed, as in `measure_table`


def main() -> None:
    """Play the turns and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fps", default="15,30", help="frames a second, one or several")
    parser.add_argument("--hurried", action="store_true", help="players who do not wait, a camera that loses frames")
    wanted = parser.parse_args()
    hurry = HURRIED if wanted.hurried else None
    for fps in map(float, wanted.fps.split(",")):
        rolls: list[Roll] = []
        for number, (begun, lines) in enumerate(turns(wanted.seed, wanted.turns)):
            rolls += rolls_of(begun, lines, number + TABLES * wanted.seed, fps, hurry)
        how = "hurried players" if hurry else "players who wait"
        print(f"{wanted.turns} turns of seed {wanted.seed}, {fps:g} frames a second, {how}: {len(rolls)} rolls")
        print(f"  rest → reading  {_spread([roll.read for roll in rolls])}")
        print(f"  rest → event    {_spread([roll.recorded for roll in rolls])}")
        lost = [roll for roll in rolls if roll.recorded is None]
        unread = [roll for roll in lost if roll.read is None]
        unseen = sum(not roll.shown for roll in unread)
        print(
            f"  never recorded  {len(lost)}: {len(lost) - len(unread)} were read, {len(unread)} were not "
            f"(shown by no frame: {unseen})"
        )


def _spread(waits: Sequence[float | None]) -> str:
    """How long it took, where it ever did."""
    some = [wait for wait in waits if wait is not None]
    if not some:
        return "never"
    half, most, worst = np.quantile(some, [0.5, 0.95, 1.0])
    return f"{len(some)} of {len(waits)}: half {half:.2f} s, 95 % {most:.2f} s, worst {worst:.2f} s"


if __name__ == "__main__":
    main()
