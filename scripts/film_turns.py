"""Films turns and stores their readings: `python -m scripts.film_turns --turns 20`.

Short turns with one explanation are simulated, filmed, read by the shipped model, and recorded automatically. What the
reader and the motion detector saw is stored in `tests/golden/rendered_turns.npz`, from which tests record the same
turns without images. An interrupted run continues. Prints every turn that was not recorded as played.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.commands.print_readings import load_detector
from tests.kit.cards import cards_around
from tests.kit.hurry import HURRIED, Hurry
from tests.kit.options import run
from tests.kit.played_turns import Turn, layout_of, record_readings, script_of, table_for, unambiguous_turns
from tests.kit.setting import LAYOUTS, random_setting
from tests.kit.simulated_table import simulate
from tests.kit.stored_passes import FPS, RecordingPipeline, StoredPasses, read, write
from tests.kit.turn_score import essence
from vision.pipeline import Detects
from vision.types import Reading

GOLDEN = Path(__file__).parent.parent / "tests" / "golden" / "rendered_turns.npz"


def main(
    turns: int = 20, first: int = 0, out: Path = GOLDEN, cards: bool = False, seed: int = 0, hurried: bool = False
) -> None:
    """Films, reads, stores.

    Args:
        first: Number of the first turn.
        cards: With a game's cards, which show printed dice, around the table.
        seed: Of the games; other seeds are stored elsewhere.
        hurried: Players who do not wait, and a camera that loses frames.
    """
    if out == GOLDEN and (seed or hurried or cards):
        raise SystemExit("the turns of the tests are filmed as they are: name another --out")
    kept = read(out) if out.exists() else {}
    detector = load_detector()
    for number, turn in enumerate(unambiguous_turns(seed, first + turns, 2)):
        if number < first or number in kept:
            continue
        began = time.process_time()
        kept[number], seen = filmed(number, turn, detector, cards=cards, hurry=HURRIED if hurried else None)
        write(out, kept.items())
        exact = essence(seen) == essence(turn[1])
        print(f"{number}: {'as played' if exact else f'{turn[1]} recorded as {seen}'}", end=", ")
        print(f"{time.process_time() - began:.0f} s of processor time", flush=True)


def filmed(
    number: int, turn: Turn, detector: Detects, *, cards: bool = False, hurry: Hurry | None = None
) -> tuple[StoredPasses, list[str]]:
    """The readings of one turn, and the lines recorded from them. `cards`: a game's cards are around the table."""
    begun, lines = turn
    setting = random_setting(LAYOUTS[number % len(LAYOUTS)], number)
    if cards:
        setting = replace(setting, cards=tuple(cards_around(np.random.default_rng([number, 1]), apart=1.35, dev=True)))
    passes = StoredPasses(list(lines), (setting.camera.width, setting.camera.height))
    pipeline, table = RecordingPipeline(detector, layout_of(setting), passes), table_for(begun)
    pipeline.due = lambda: table.expected_dice

    def readings() -> Iterator[tuple[Reading, Sequence[str]]]:
        script = script_of(lines, begun.seat)
        for frame, truth in simulate(script, seed=number, setting=setting, fps=FPS, hurry=hurry):
            passes.entered += [(frame.number, line) for line in truth.entered]
            yield pipeline.step(frame), truth.entered

    record_readings(table, readings())
    return passes, [line.event for line in table.lines]


if __name__ == "__main__":
    run(main)
