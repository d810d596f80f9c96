"""From rest to the record: `python -m scripts.measure_rest --turns 60 --seed N [--fps 15 30] [--hurried]`.

Turns of random games at the simulated table. Of every roll it is known when the last of its dice came to rest, though a
hand may have taken others before. Printed: after how many seconds a settled reading showed what was rolled and the roll
stood in the record (without the time the networks take, which `courtside bench live` prints), and of the rolls never
recorded, whether any reading had shown them: what no reading shows is lost by vision, the rest by the referee. Of a
roll shown by no frame one die at least lay still and uncovered in none: nobody could have read it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.kit.hurry import HURRIED
from tests.kit.options import run
from tests.kit.played_turns import turns as random_turns
from tests.kit.rest import Roll, rolls_of

TABLES = 999_999  # tables a seed, as in `measure_table`


def main(turns: int = 60, seed: int = 0, fps: tuple[float, ...] = (15.0, 30.0), hurried: bool = False) -> None:
    """Play the turns and print the figures.

    Args:
        fps: Frames a second, one or several.
        hurried: Players who do not wait, a camera that loses frames.
    """
    hurry = HURRIED if hurried else None
    for rate in fps:
        rolls: list[Roll] = []
        for number, (begun, lines) in enumerate(random_turns(seed, turns)):
            rolls += rolls_of(begun, lines, number + TABLES * seed, rate, hurry)
        how = "hurried players" if hurry else "players who wait"
        print(f"{turns} turns of seed {seed}, {rate:g} frames a second, {how}: {len(rolls)} rolls")
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
    run(main)
