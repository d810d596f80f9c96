"""Clips in which the picture is difficult: a patterned board, held pictures, exposure jumps, a die cut by the edge."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from scripts.clip_parts.pieces import Leg
from scripts.clip_parts.scenes import ClipScene, a_die, on_table
from vision.types import Image

FIELD = (0.7, 3.0)  # die widths: width of a board's fields
INKED = (0.45, 0.8)  # share of the light that its dark fields reflect
PICTURES = (4.0, 9.0)  # new pictures a second of a slow camera
EXPOSURES = (0.55, 1.5)  # factor of the grey levels
INSIDE = (-0.15, 0.05)  # die widths from the edge to the centre of a cut die: between a third and a half is visible


@on_table
def boarded(scene: ClipScene) -> None:
    """One die is set aside and the others are rerolled on a board of checks, stripes or rings."""
    scene.ground = board(scene.ground, scene.play.width, scene.chance)
    scene.reroll_all_but_one()


@on_table
def held(scene: ClipScene) -> None:
    """The same before a slow camera, each of whose pictures is sent several times."""
    scene.reroll_all_but_one()
    rate = float(scene.chance.uniform(*PICTURES))
    scene.play.stalls += [(shot / rate, (shot + 1) / rate) for shot in range(math.ceil(scene.play.clock * rate))]


@on_table
def exposed(scene: ClipScene) -> None:
    """The same while the exposure jumps two to four times, at any time."""
    scene.reroll_all_but_one()
    jumps = int(scene.chance.integers(2, 5))
    times = np.sort(scene.chance.uniform(0.8, scene.play.clock - 1.0, jumps)).tolist()
    levels = [1.0, *scene.chance.uniform(*EXPOSURES, jumps).tolist()]
    steps = zip(times, (level / before for before, level in pairwise(levels)), strict=True)
    scene.camera = replace(scene.camera, steps=tuple(steps))


@on_table
def cut_off(scene: ClipScene) -> None:
    """The same beside a die of which the image shows less than half, so that it has no value."""
    play, chance = scene.play, scene.chance
    source = scene.words.split(" ")[0]
    die = a_die(scene.stock, play, chance, scene.stock.alike(source, chance), source, int(chance.integers(1, 7)))
    die.value = 0
    along, inside = float(chance.uniform(0.2, 0.6)), float(chance.uniform(*INSIDE)) * play.width
    width, height = play.size
    x, y = ((inside, along * height), (width - inside, along * height), (along * width, inside))[chance.integers(3)]
    die.legs.append(Leg(-1.0, "resting", x, y))
    play.dice.append(die)
    scene.reroll_all_but_one()


PICTURED = (boarded, held, exposed, cut_off)


def board(ground: Image, die: float, chance: Generator) -> Image:
    """The table (H, W, 3) with checks, stripes or rings printed on it, at any angle. die: width in pixels."""
    height, width = ground.shape[:2]
    y, x = np.indices((height, width), np.float32) - np.float32(0.5) * np.array([[[height]], [[width]]], np.float32)
    angle, field = chance.uniform(0, math.pi), chance.uniform(*FIELD) * die
    across = (x * math.cos(angle) + y * math.sin(angle)) / field
    down = (y * math.cos(angle) - x * math.sin(angle)) / field
    number = (np.floor(across) + np.floor(down), np.floor(across), np.floor(np.hypot(across, down)))[chance.integers(3)]
    light = np.where(number % 2 == 0, 1.0, chance.uniform(*INKED))
    return np.asarray(ground * light[..., None], np.uint8)
