"""A script performed and filmed: which scene each frame shows, and which frames are lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tests.kit.film import Performer
from tests.kit.flight import Flight
from tests.kit.hurried import HurriedPerformer
from tests.kit.hurry import Hurry
from tests.kit.losses import frame_contents, lost_frames
from tests.kit.scene import Scene
from tests.kit.script import Step, most_dice
from tests.kit.setting import Setting

ATTEMPTS = 50  # maximum number of performances until one shows enough


def performance(
    script: Sequence[Step],
    table: Setting,
    seed: int,
    fps: float,
    simulate_roll: Callable[..., Flight],
    hurry: Hurry | None = None,
    rng: np.random.Generator | None = None,
) -> Iterator[tuple[Scene, bool]]:
    """Yields the scene of each frame, and whether that frame is lost. It is always the same scene, changed in place.

    Args:
        hurry: How players hurry and frames are lost; by default players wait and no frame is lost.
        rng: Random generator of players who wait; by default made from the seed.
    """
    dice = most_dice(script)
    if hurry is None:
        rng = rng or np.random.default_rng([0xF11, seed])
        for scene in Performer(table, dice, rng, fps, simulate_roll).perform(script):
            yield scene, False
        return
    for attempt in range(ATTEMPTS):
        seeds = 0x4A57E, seed, attempt
        first = HurriedPerformer(table, dice, np.random.default_rng(seeds), fps, simulate_roll, hurry)
        lost = lost_frames(frame_contents(first.perform(script), table), fps, hurry, np.random.default_rng([*seeds, 1]))
        if lost is not None:
            again = HurriedPerformer(table, dice, np.random.default_rng(seeds), fps, simulate_roll, hurry)
            for number, scene in enumerate(again.perform(script)):
                yield scene, number in lost
            return
    raise ArithmeticError(f"in none of {ATTEMPTS} performances every die is to be seen for long enough")
