"""Renders path-traced images of dice with YOLO labels: python -m scripts.render_traced --out local/traced --count 100.

Needs Blender as a package (`pip install bpy`, in an environment of its own). It shows what `scripts/render.py` cannot:
drilled pips; clear, glittering, pearly, wooden and metal dice; reflections and transmitted light. Each image depends
only on (seed, number); surfaces are of the split `train`. Labels are those of `scripts/render.py`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.kit.dice import Picture, relabelled
from tests.kit.labelled import SURFACES, Label, asset, save_all
from tests.kit.options import run
from tests.kit.photograph import photograph, random_sensor
from tests.kit.table import surface
from tests.kit.traced.laying import HEIGHT, WIDTH, pick_camera, place_dice
from tests.kit.traced.light import exposed, room
from tests.kit.traced.skin import random_skin, solid
from tests.kit.traced.studio import Studio

MIN_DICE, MAX_DICE = 12, 40  # dice placed; those at the border, hidden or without room are not in the image


def picture(seed: int, number: int, samples: int) -> tuple[Picture, list[Label]]:
    """The image with this number and the labels of the visible dice."""
    rng = np.random.default_rng([seed, number, 0x7ACED])
    first = random_skin(int(rng.integers(1 << 30)))
    camera = pick_camera(rng, first.look.size)
    same = rng.uniform() < 0.25
    skins = [first] + [
        first if same else random_skin(int(rng.integers(1 << 30))) for _ in range(int(rng.integers(MIN_DICE, MAX_DICE)))
    ]
    studio = Studio(samples)
    paper = surface(asset(rng, SURFACES, dev=False))
    studio.set_table(paper, float(rng.uniform(150, 600)), float(rng.uniform(0.25, 1)), float(rng.uniform(0, 0.6)))
    studio.set_light(room(rng))
    seen = []
    for skin, place in zip(skins, place_dice(camera, skins, rng), strict=True):
        if place is None:
            continue
        c, s = np.cos(place[1]), np.sin(place[1])
        flat = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        value = int(rng.integers(1, 7))
        turn = flat @ relabelled(flat, skin.look, value, rng)
        at = camera.project(solid(skin)[0] * skin.look.size / 2 @ turn.T + place[0])
        (x1, y1), (x2, y2) = at.min(axis=0), at.max(axis=0)
        if x1 < 2 or y1 < 2 or x2 > WIDTH - 2 or y2 > HEIGHT - 2:
            continue
        studio.add_die(skin, place[0], turn)
        grid = np.mgrid[-2:3, -2:3].reshape(2, -1).T * 0.17 * skin.look.size
        top = place[0] + np.column_stack([grid @ flat[:2, :2].T, np.full(25, skin.look.size / 2)])
        label = value - 1, (x1 + x2) / 2 / WIDTH, (y1 + y2) / 2 / HEIGHT, (x2 - x1) / WIDTH, (y2 - y1) / HEIGHT
        seen.append((top, label))
    kept = dict(enumerate(seen))
    for _ in range(3):  # a removed die may uncover another one
        hidden = [n for n, (top, _) in kept.items() if studio.seen(n, top, camera) < 0.6]
        for n in hidden:
            studio.remove_die(n)
            del kept[n]
        if not hidden:
            break
    near = camera.distance if rng.uniform() < 0.3 else None
    radiance = studio.take(camera, near, float(rng.uniform(0.4, 4)))
    sensor = random_sensor(rng)
    # Few camera defects: training augmentation adds them.
    sensor = replace(sensor, gain=1, contrast=1, blur=min(sensor.blur, 0.7), shake=0, grain=sensor.grain / 3, glare=0)
    return photograph(exposed(radiance, rng), sensor, rng), [label for _, label in kept.values()]


def main(out: Path, count: int = 100, start: int = 0, step: int = 1, seed: int = 1, samples: int = 8) -> None:
    """Writes COUNT images to OUT/images and their labels to OUT/labels.

    Args:
        start: Number of the first image.
        step: Makes every step-th image, to share the work among processes.
        samples: Rays per pixel.
    """
    numbers = range(start, start + count * step, step)
    save_all(out, numbers, lambda number: [(f"traced__{seed:03d}_{number:05d}", *picture(seed, number, samples))])


if __name__ == "__main__":
    run(main)
