"""Textures and geometry of path-traced dice: pips, colours and drilled depth."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from tests.kit.dice import PIPS, Array, DieLook, Picture, faces_of, mesh, random_look
from tests.kit.table import noise

CELL = 160  # texels per face; the texture is three faces wide and two high
STEPS, FLAT = 22, 48  # vertices across a rounded edge and across the flat part: enough for round pips


@dataclass(frozen=True, slots=True)
class Skin:
    """Appearance and material of a die.

    Attributes:
        look: Colours, size and pips.
        finish: Plastic, waxy, pearl, metal, wood, clear, frosted, glitter or swirl.
        roughness: Surface roughness, 0..1.
        drilled: Depth of the pips, half edges.
        turned: By value, whether the pips of 2, 3 and 6 are rotated by a right angle.
        squareness: Exponent of the pips' superellipse: 2 for round pips, more for squarer ones.
        bare: The pips are drilled but not painted.
        seed: Seed of the textures.
    """

    look: DieLook
    finish: str
    roughness: float
    drilled: float
    turned: tuple[bool, ...]
    squareness: float
    bare: bool
    seed: int


def random_skin(seed: int) -> Skin:
    """The die with this seed."""
    rng = np.random.default_rng([0x7ACE, seed])
    look = random_look(int(rng.integers(1 << 30)))
    if look.pattern == "clear":
        finish = rng.choice(["clear", "frosted", "glitter"], p=[0.5, 0.2, 0.3])
    elif look.pattern == "marbled":
        finish = "swirl"
    else:
        finish = rng.choice(
            ["plastic", "waxy", "pearl", "metal", "wood", "glitter", "swirl"], p=[0.5, 0.12, 0.1, 0.06, 0.06, 0.1, 0.06]
        )
    bare = bool(finish in ("metal", "wood") and rng.uniform() < 0.4)
    printed = not bare and rng.uniform() < 0.15
    return Skin(
        look=look,
        finish=str(finish),
        roughness=float(rng.uniform(0.02, 0.25) if rng.uniform() < 0.6 else rng.uniform(0.2, 0.7)),
        drilled=0.0 if printed else float(rng.uniform(0.3, 1.0) * look.pip_radius * 2),
        turned=tuple(bool(t) for t in rng.integers(0, 2, 7)),
        squareness=float(2 if rng.uniform() < 0.93 else rng.uniform(3, 8)),
        bare=bare,
        seed=seed,
    )


def _from_pip(skin: Skin, value: int, u: Array, v: Array) -> tuple[Array, float]:
    """Distance of points on a face (-1..1) to the nearest pip's centre, in pip radii, and that radius."""
    look = skin.look
    radius = 2 * (look.ace_radius if value == 1 else look.pip_radius)
    spread = 2 * look.pip_spread
    nearest = np.full(u.shape, np.inf)
    for x, y in PIPS[value]:
        if skin.turned[value]:
            x, y = -y, x
        away = (abs(u - x * spread) ** skin.squareness + abs(v - y * spread) ** skin.squareness) ** (
            1 / skin.squareness
        )
        nearest = np.minimum(nearest, away / radius)
    return nearest, radius


def sheets(skin: Skin) -> tuple[Picture, Picture]:
    """Colour texture (2 * CELL, 3 * CELL, 3) uint8 RGB, and a pip mask of the same height and width, 0..255."""
    look, rng = skin.look, np.random.default_rng([0x5EE7, skin.seed])
    shape = (2 * CELL, 3 * CELL)
    colours = np.ones((*shape, 3), np.float32) * np.array(look.body, np.float32)
    if skin.finish in ("swirl", "wood"):
        share = _swirl(rng, shape) if skin.finish == "swirl" else _grain(rng, shape)
        other = np.array(look.second, np.float32)
        if np.abs(other - look.body).max() < 0.1:
            other = other * rng.uniform(0.35, 0.8)
        colours += (other - colours) * share[..., None]
    elif look.pattern == "speckled":
        colours[cv2.GaussianBlur(rng.uniform(size=shape).astype(np.float32), (0, 0), 1.1) > 0.57] = look.second
    pips = np.zeros(shape, np.float32)
    along = (np.arange(CELL) + 0.5) / CELL * 2 - 1
    v, u = np.meshgrid(along, along, indexing="ij")
    for value in range(1, 7):
        row, column = divmod(value - 1, 3)
        cell = np.s_[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        away, radius = _from_pip(skin, value, u, v)
        inside = np.clip((1 - away) * radius * CELL / 2 + 0.5, 0, 1).astype(np.float32)
        worn = 1 - (0.5 * noise(rng, 40, size=CELL) if rng.uniform() < 0.1 else 0)
        paint = look.ace if value == 1 else look.four if value == 4 else look.pips
        ink = np.array(look.body if skin.bare else paint, np.float32) * (0.6 if skin.bare else 1)
        colours[cell] += (ink - colours[cell]) * (inside * worn)[..., None]
        pips[cell] = inside
    return (np.clip(colours, 0, 1) * 255).astype(np.uint8), (pips * 255).astype(np.uint8)


def _swirl(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Mixing ratio of two swirled colours, 0..1: bands of noise, distorted by noise."""
    size = max(shape)
    bent = noise(rng, float(rng.uniform(30, 160)), size=size) + 0.3 * noise(rng, 24, size=size)
    band = 0.5 + 0.5 * np.sin(2 * np.pi * rng.uniform(1, 4) * bent + rng.uniform(0, 6))
    sharp = rng.uniform(1, 6)
    share: Array = np.clip((band - rng.uniform(0.35, 0.65)) * sharp + 0.5, 0, 1)[: shape[0], : shape[1]]
    return share


def _grain(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Wood grain along the texture, 0..1."""
    size = max(shape)
    share: Array = np.clip(0.6 * noise(rng, 90, 2, size) + 0.4 * noise(rng, 200, 12, size), 0, 1)
    return share[: shape[0], : shape[1]]


def solid(skin: Skin) -> tuple[Array, Array, Array]:
    """Mesh with pressed-in pips: vertices (n, 3) for an edge of 2, texture coordinates (n, 2), triangles (m, 3)."""
    look = skin.look
    points, _, across, triangles = mesh(look, STEPS, FLAT)
    each = len(points) // 6
    for number, (value, axis) in enumerate(faces_of(look).items()):
        face = np.s_[number * each : (number + 1) * each]
        column, row = (value - 1) % 3, (value - 1) // 3
        place = (across[face] * [3, 2] - [column, row]) * 2 - 1
        away, _ = _from_pip(skin, value, place[:, 0], place[:, 1])
        hollow = np.sqrt(np.clip(1.05 - away**2, 0, 1)) if skin.squareness == 2 else np.clip((1.1 - away) * 6, 0, 1)
        points[face] -= np.array(axis, float) * (skin.drilled * hollow)[:, None]
    return points, across, triangles
