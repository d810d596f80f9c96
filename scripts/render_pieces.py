"""Renders images of game pieces without dice: `python -m scripts.render_pieces --out DIR --count 300`.

Pawns, discs, dominoes, bricks, cubes, beads and boards on any surface, lit and photographed as in `scripts/render.py`.
Everything a finder detects in them is a false positive (`scripts/harvest.py`). Each image depends only on (seed,
number).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.kit.camera import Camera
from tests.kit.cards import game_cards
from tests.kit.dice import Picture
from tests.kit.game_pieces import game_pieces
from tests.kit.labelled import save_all
from tests.kit.options import run
from tests.kit.photograph import photograph, random_sensor
from tests.kit.rolled_pictures import FORMATS, pick_camera, random_light
from tests.kit.stage import Stage
from tests.kit.table import surface

SURFACES = 4000
SEED = 0x9A3E


def picture(seed: int, number: int) -> Picture:
    """One table with pieces, (h, w, 3) uint8 BGR."""
    rng = np.random.default_rng([SEED, seed, number])
    width, height = FORMATS[rng.integers(len(FORMATS))]
    camera: Camera
    camera, reach = pick_camera(rng, float(rng.uniform(12, 20)), width, height)
    props = game_pieces(rng, reach * 1.1, int(rng.integers(4, 26)))
    if rng.random() < 0.15:
        props += game_cards(rng, reach * 1.2)
    ground = surface(int(rng.integers(SURFACES)))
    across = float(rng.uniform(2.2, 4.5) * max(reach, 100))
    stage = Stage([], ground, width, height, across_mm=across, props=props, extent=max(120.0, reach * 2.6))
    try:
        stage.light = random_light(rng)
        return photograph(stage.draw(camera, rng, int(rng.integers(3, 6))), random_sensor(rng), rng)
    finally:
        stage.close()


def main(out: Path, count: int = 300, start: int = 0, seed: int = 1) -> None:
    """Writes COUNT images to OUT/images, with empty labels in OUT/labels.

    Args:
        start: Number of the first image.
    """
    numbers = range(start, start + count)
    save_all(out, numbers, lambda number: [(f"pieces_{seed:03d}_{number:05d}", picture(seed, number), [])])


if __name__ == "__main__":
    run(main)
