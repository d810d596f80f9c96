"""Renders training images of tables during a game, as in video: `python -m scripts.render_tables --out DIR`.

Unlike `scripts/render.py`, which varies everything, dice rest as they do in play, rolled and set aside, on the mat or
on a plain surface. A webcam sees the whole table, so they are small. Each scene depends only on (seed, number). Every
eighth kind of dice is reserved for films.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from tests.kit.cards import cards_around
from tests.kit.clutter import SKIN, hand
from tests.kit.dice import ROTATIONS, Array, Picture, relabelled
from tests.kit.flight import Arena
from tests.kit.hands import yaw
from tests.kit.labelled import Label, save_all
from tests.kit.options import run
from tests.kit.photograph import SimulatedWebcam
from tests.kit.rolled_pictures import rest_hand, visible
from tests.kit.setting import LAYOUTS, Setting, random_setting
from tests.kit.stage import AWAY, Stage
from tests.kit.table import surface

SEEDS = 1_000_000  # settings from this number on; films and tests use those below
ROLLS, MAX_DICE = 6, 10  # images of a scene, and dice at most
FORMATS = ((640, 480), (640, 480), (1280, 720))


def pictures(seed: int, scene: int, cards: str = "") -> Iterator[tuple[Picture, list[Label]]]:
    """The images of one table with labels, the dice rolled again for each.

    Args:
        cards: "train" or "dev": adds a game's cards of that split, which show printed dice, mostly around the dice.
    """
    rng = np.random.default_rng([0x7AB1E, seed, scene])
    width, height = FORMATS[rng.integers(len(FORMATS))]
    number = SEEDS + 1000 * seed + scene
    table = random_setting(LAYOUTS[scene % len(LAYOUTS)], number, width, height)
    if table.look.seed % 8 == 7:
        return
    handed = rng.uniform() < 0.5
    props = [*table.props, *(hand(1, SKIN[table.skin], rng, fingers=0.55) if handed else [])]
    if cards:
        props += cards_around(np.random.default_rng([seed, scene, 1]), dev=cards == "dev")
    stage = Stage(
        [table.look] * MAX_DICE, surface(table.surface), width, height, props=props, extent=260.0, shadow=1024
    )
    stage.light = table.light
    webcam = SimulatedWebcam(table.sensor, (height, width), rng)
    try:
        for _ in range(ROLLS):
            positions, rotations = resting_poses(table, rng)
            for i, (position, rotation) in enumerate(zip(positions, rotations, strict=True)):
                stage.place(i, position, rotation)
            if handed:
                rest_hand(stage, 130.0, rng)
            labels = visible(stage, table.camera, [table.look] * MAX_DICE, positions, rotations)
            yield webcam.take(stage.draw(table.camera, rng, int(rng.choice([1, 1, 4])))), labels
    finally:
        stage.close()


def resting_poses(table: Setting, rng: np.random.Generator) -> tuple[Array, Array]:
    """Positions (10, 3) mm and rotations of dice in play and set aside; unused ones are out of sight."""
    positions, rotations = np.tile(np.array(AWAY), (MAX_DICE, 1)), np.tile(np.eye(3), (MAX_DICE, 1, 1))
    count = int(rng.integers(1, MAX_DICE + 1))
    aside = int(rng.integers(0, count + 1))
    size, spots = table.look.size, np.zeros((0, 2))
    for i in range(count):
        kept = i < aside
        spot = _free(table.kept if kept else table.rolling, size, spots, rng)
        if spot is None:
            continue
        spots = np.vstack([spots, spot])
        turn = yaw(float(rng.normal(0, 12) if kept else rng.uniform(0, 360))) @ ROTATIONS[rng.integers(24)]
        positions[i] = *spot, size / 2
        rotations[i] = turn @ relabelled(turn, table.look, int(rng.integers(1, 7)), rng)
    return positions, rotations


def _free(arena: Arena, size: float, taken: Array, rng: np.random.Generator) -> Array | None:
    """A place in the arena, sometimes touching another die; None if twenty tries found none."""
    inner = replace(arena, left=arena.left + size, right=arena.right - size)
    deep = max(0.0, (arena.back - arena.front) / 2 - 0.6 * size)
    for _ in range(20):
        spot = np.array([rng.uniform(inner.left, inner.right), arena.centre[1] + rng.uniform(-deep, deep)])
        if not len(taken) or np.abs(taken - spot).max(axis=1).min() > 1.05 * size:
            return spot
    return None


def main(
    out: Path, count: int = 100, start: int = 0, seed: int = 1, cards: Literal["train", "dev"] | None = None
) -> None:
    """Writes the images of COUNT scenes, up to six each, to OUT/images and their labels to OUT/labels.

    Args:
        start: Number of the first scene.
        cards: With a game's cards of that split.
    """

    def made(scene: int) -> Iterator[tuple[str, Picture, list[Label]]]:
        for number, (image, labels) in enumerate(pictures(seed, scene, cards or "")):
            yield f"render_table_{seed:03d}_{scene:05d}_{number}", image, labels

    save_all(out, range(start, start + count), made)


if __name__ == "__main__":
    run(main)
