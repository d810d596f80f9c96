"""Is the same game recorded when the camera is knocked? `python -m scripts.measure_bumps --tries 40 --seed 1`.

The bundled demo is watched again and again. Each time the camera is turned once, at any moment, within a third of a
second: by up to six degrees about its axis, and so that the middle of the picture moves by up to six per cent of its
width. What the record then says must be what it says without. The picture's edge is drawn out where the film shows
nothing.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import cv2
import numpy as np

from companion.bench.vision import share
from companion.commands.print_readings import demo_clip, load_detector
from companion.game.recording import Recording
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from scripts.clip_parts.lens import FOCAL, turned_by
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.types import Frame

DEGREES, FAR = 6.0, 0.06
FRAMES = (30, 420)  # of the film, in which it is knocked
LASTS = 4  # frames


def recorded(seed: int | None) -> list[str]:
    """The events of the game; None: nobody knocks."""
    chance = np.random.default_rng(seed or 0)
    when, degrees, *far = chance.uniform(*FRAMES), chance.uniform(-DEGREES, DEGREES), *chance.uniform(-FAR, FAR, 2)
    header = new_record("krone", ["Anna", "Bert"])
    recording = Recording(Table(header, referee_for(header)), lambda line: None, lambda line: None)
    pipeline = Pipeline(load_detector(), live=True)
    pipeline.due = lambda: recording.table.dice_due
    for frame in frames(demo_clip()):
        assert isinstance(frame, Frame)
        part = 0.0 if seed is None else min(1.0, max(0.0, (frame.number - when) / LASTS))
        if part:
            size = frame.image.shape[1::-1]
            across, down = (float(one) * part * size[0] for one in far)
            moved = turned_by(size, FOCAL * size[0], (across, down), degrees * part)
            image = cv2.warpPerspective(frame.image, moved, size, borderMode=cv2.BORDER_REPLICATE)
            frame = replace(frame, image=np.asarray(image, np.uint8))
        recording.see(pipeline.step(frame))
    return [line.event for line in recording.table.lines]


def main() -> None:
    """Watch, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1, help="the first try's")
    parser.add_argument("--processes", type=int, default=2)
    wanted = parser.parse_args()
    seeds = range(wanted.seed, wanted.seed + wanted.tries)
    with ProcessPoolExecutor(wanted.processes, get_context("spawn")) as pool:
        without = pool.submit(recorded, None)
        found = dict(zip(seeds, pool.map(recorded, seeds), strict=True))
    amiss = [seed for seed, events in found.items() if events != without.result()]
    right = len(found) - len(amiss)
    print(f"as without a knock: {right} of {len(found)}, {share(right, len(found))}; not so: seeds {amiss}")


if __name__ == "__main__":
    main()
