"""Labelled training images of rolled dice: rolls, tables, clutter, light and cameras of every kind.

Each scene depends only on (seed, number). Surfaces and dice are numbered assets: one in eight belongs to the split
`dev` and is in no image of `train`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.kit.camera import Camera
from tests.kit.cards import game_cards
from tests.kit.clutter import SKIN, clutter, hand, tray
from tests.kit.dice import Array, DieLook, Picture, mesh, random_look, relabelled, top_value
from tests.kit.flight import Arena
from tests.kit.labelled import LOOKS, SURFACES, Label, asset
from tests.kit.photograph import photograph, random_sensor
from tests.kit.props import Light
from tests.kit.roll_physics import simulate_roll
from tests.kit.stage import AWAY, Stage
from tests.kit.table import surface

FORMATS = ((640, 480), (640, 480), (640, 480), (560, 560), (640, 360), (800, 450))
ROLLS, MAX_DICE = 4, 12  # images of a scene, and dice at most


def pick_camera(rng: np.random.Generator, die: float, width: int, height: int) -> tuple[Camera, float]:
    """A random camera, and half the width in mm that it sees in its centre."""
    fovy = float(rng.uniform(28, 55))
    pixels = float(np.clip(np.exp(rng.normal(np.log(46), 0.45)), 19, 150)) * height / 480
    focal = height / 2 / np.tan(np.radians(fovy) / 2)
    above = rng.uniform() < 0.3
    camera = Camera(
        width=width,
        height=height,
        distance=float(focal * die / pixels),
        slant=float(abs(rng.normal(0, 6)) if above else rng.uniform(12, 52)),
        azimuth=float(rng.uniform(0, 360)),
        roll=float(rng.uniform(0, 360) if above else rng.normal(0, 5)),
        fovy=fovy,
    )
    return camera, min(width, height) / 2 * die / pixels


def resting_poses(looks: list[DieLook], reach: float, rng: np.random.Generator) -> tuple[Array, Array] | None:
    """Positions and rotations of rolled dice, or None if one is tilted or on top of another."""
    tight = rng.uniform() < 0.3  # touching dice
    half = reach * (rng.uniform(0.25, 0.5) if tight else 0.8)
    half = max(half, float(np.sqrt(sum(look.size**2 for look in looks))) * 0.9)
    for _ in range(6):
        flight = simulate_roll([look.size for look in looks], Arena(-half, -half, half, half), rng)
        heights = flight.positions[-1][:, 2] - [look.size / 2 for look in looks]
        if flight.tilt.max() < 4 and heights.max() < 1.5:
            return flight.positions[-1] + [*rng.uniform(-0.15, 0.15, 2) * reach, 0], flight.rotations[-1]
    return None


def boxes(
    camera: Camera, looks: list[DieLook], positions: Array, rotations: Array
) -> list[tuple[float, float, float, float]]:
    """The pixel boxes of whole dice."""
    found = []
    for look, position, rotation in zip(looks, positions, rotations, strict=True):
        points, *_ = mesh(look, 4)
        at = camera.project(points * look.size / 2 @ rotation.T + position)
        found.append((*at.min(axis=0), *at.max(axis=0)))
    return found


def pictures(seed: int, scene: int, dev: bool, cards: bool = False) -> Iterator[tuple[Picture, list[Label]]]:
    """Images of one scene with labels: a few rolls of the same dice on one table, each with a new view and light.

    Args:
        cards: With a game's cards, which have printed dice.
    """
    rng = np.random.default_rng([seed, scene])
    same = rng.uniform() < 0.4
    first = random_look(asset(rng, LOOKS, dev))
    width, height = FORMATS[rng.integers(len(FORMATS))]
    cameras = [pick_camera(rng, first.size, width, height) for _ in range(ROLLS)]
    widest = max(reach for _, reach in cameras)
    count = int(rng.integers(2, MAX_DICE + 1))
    looks = [first if same else random_look(asset(rng, LOOKS, dev)) for _ in range(count)]
    things = clutter(rng, widest * 1.5, widest * 0.6) if rng.uniform() < 0.6 else []
    if rng.uniform() < 0.15:
        things += tray(rng, widest * float(rng.uniform(0.8, 1.2)), widest * float(rng.uniform(0.8, 1.2)))
    handed = rng.uniform() < 0.3
    if handed:
        things += hand(1, SKIN[rng.integers(len(SKIN))], rng, fingers=float(rng.uniform(0, 1)))
    if cards:
        things += game_cards(np.random.default_rng([seed, scene, 1]), widest * 1.2, dev=dev)
    across = float(rng.uniform(2.2, 4.5) * max(widest, 100))
    paper = surface(asset(rng, SURFACES, dev))
    stage = Stage(looks, paper, width, height, across_mm=across, props=things, extent=max(120.0, widest * 2.6))
    try:
        for camera, reach in cameras:
            made = picture(stage, looks, camera, reach, rng)
            if made is not None:
                yield made
            if handed:
                rest_hand(stage, reach, rng)
    finally:
        stage.close()


def rest_hand(stage: Stage, reach: float, rng: np.random.Generator) -> None:
    """Places the hand nearby, the fingers towards the centre."""
    angle = float(rng.uniform(0, 2 * np.pi))
    far = reach * float(rng.uniform(0.5, 1.2)) + 60
    turn = angle + np.pi / 2 + float(rng.normal(0, 0.4))
    c, s = np.cos(turn), np.sin(turn)
    where = (far * np.cos(angle), far * np.sin(angle), float(rng.uniform(40, 70)))
    stage.place_group(1, where, np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]))


def random_light(rng: np.random.Generator) -> Light:
    """A random light, from a bare bulb to an overcast window."""
    key = float(rng.uniform(0.2, 0.8))
    return Light(
        azimuth=float(rng.uniform(0, 360)),
        height=float(rng.uniform(25, 85)),
        size=float(rng.choice([0.02, 0.08, 0.2, 0.4])),
        key=key,
        fill=(1 - key) * 0.75,
        ambient=(1 - key) * 0.25 + 0.03,
    )


def picture(
    stage: Stage, looks: list[DieLook], camera: Camera, reach: float, rng: np.random.Generator
) -> tuple[Picture, list[Label]] | None:
    """One image of some dice with its labels; None if they did not come to rest flat."""
    room = int(np.clip((reach / looks[0].size) ** 2 * 0.7, 1, len(looks)))
    rolled = np.sort(rng.permutation(len(looks))[: 0 if rng.uniform() < 0.04 else rng.integers(1, room + 1)])
    resting = (
        resting_poses([looks[i] for i in rolled], reach, rng)
        if len(rolled)
        else (np.zeros((0, 3)), np.zeros((0, 3, 3)))
    )
    if resting is None:
        return None
    positions, rotations = np.tile(np.array(AWAY), (len(looks), 1)), np.tile(np.eye(3), (len(looks), 1, 1))
    for i, position, rotation in zip(rolled, *resting, strict=True):
        positions[i] = position
        rotations[i] = rotation @ relabelled(rotation, looks[i], int(rng.integers(1, 7)), rng)
    for i in range(len(looks)):
        stage.place(i, positions[i], rotations[i])
    stage.light = random_light(rng)
    labels = visible(stage, camera, looks, positions, rotations)
    return photograph(stage.draw(camera, rng, int(rng.integers(4, 7))), random_sensor(rng), rng), labels


def visible(stage: Stage, camera: Camera, looks: list[DieLook], positions: Array, rotations: Array) -> list[Label]:
    """Labels of the visible dice. Dice cut by the border or mostly covered are removed from the scene."""
    labels: dict[int, Label] = {}
    for _ in range(3):  # a removed die may uncover another one
        front = stage.seen(camera)
        labels.clear()
        hidden = []
        for i, (x1, y1, x2, y2) in enumerate(boxes(camera, looks, positions, rotations)):
            if positions[i][2] < -1000:
                continue
            out = x1 < 2 or y1 < 2 or x2 > camera.width - 2 or y2 > camera.height - 2
            spread = (np.mgrid[-3:4, -3:4].reshape(2, -1).T / 3 * 0.7) * looks[i].size / 2
            up = positions[i] + np.column_stack(
                [spread @ np.array([[1.0, 0], [0, 1.0]]), np.full(49, looks[i].size / 2)]
            )
            at = np.round(camera.project(up)).astype(int)
            if (
                out
                or (front[at[:, 1].clip(0, camera.height - 1), at[:, 0].clip(0, camera.width - 1)] == i).mean() < 0.6
            ):
                hidden.append(i)
                continue
            value, _ = top_value(rotations[i], looks[i])
            w, h = camera.width, camera.height
            labels[i] = (value - 1, (x1 + x2) / 2 / w, (y1 + y2) / 2 / h, (x2 - x1) / w, (y2 - y1) / h)
        if not hidden:
            break
        for i in hidden:
            stage.hide(i)
            positions[i] = AWAY
    return list(labels.values())
