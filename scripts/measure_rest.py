"""Measures the delay from rest to the record: `python -m scripts.measure_rest --turns 60 --seed N [--fps 15 30]
[--hurried]`.

It plays turns of random games at the simulated table, where the time at which the last die of a roll comes to rest is
known. It prints the seconds until a settled reading showed the roll and until it was recorded (without network time,
which `python -m scripts.bench_live` prints). Of rolls never recorded it prints whether any reading showed them: those
without are lost by vision, the others by the referee. If at least one die of a roll was never uncovered at rest, it
could not be read.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.kit.hurry import HURRIED
from tests.kit.options import run
from tests.kit.played_turns import turns as random_turns
from tests.kit.rest import RollOutcome, rolls_of

TABLES = 999_999  # tables of one seed, as in `measure_table`


def main(turns: int = 60, seed: int = 0, fps: tuple[float, ...] = (15.0, 30.0), hurried: bool = False) -> None:
    """Plays the turns and prints the figures.

    Args:
        fps: Frames a second, one or several.
        hurried: Players who do not wait, and a camera that loses frames.
    """
    hurry = HURRIED if hurried else None
    for rate in fps:
        rolls: list[RollOutcome] = []
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
    """Percentiles of the delays."""
    some = [wait for wait in waits if wait is not None]
    if not some:
        return "never"
    half, most, worst = np.quantile(some, [0.5, 0.95, 1.0])
    return f"{len(some)} of {len(waits)}: half {half:.2f} s, 95 % {most:.2f} s, worst {worst:.2f} s"


if __name__ == "__main__":
    run(main)
