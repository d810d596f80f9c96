"""Game pieces without pips for rendering: pawns, discs, dominoes, bricks, cubes, beads, fields of a board.

Each is built of boxes, cylinders and ellipsoids in its usual size, and rests at a place on the table. They have
features that readers mistake for dice: concentric circles, highlights on round heads, spots in pip layouts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from tests.kit.clutter import turned
from tests.kit.props import Prop

Rgba = tuple[float, float, float, float]
Piece = Callable[[float, float, Generator], list[Prop]]
# Positions of the pips of faces 1 to 6, in thirds of the side.
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def colour(rng: Generator) -> Rgba:
    """A random colour of game pieces, plain or dull."""
    tone = rng.choice([0.05, 0.5, 0.95], 3) * 0.7 + rng.uniform(0, 0.3, 3)
    return float(tone[0]), float(tone[1]), float(tone[2]), 1.0


def _shine(rng: Generator) -> float:
    return float(rng.choice([0.05, 0.3, 0.9]))


def _disc(x: float, y: float, low: float, radius: float, high: float, rgba: Rgba, shine: float) -> Prop:
    """A cylinder whose lower face is `low` mm above the table."""
    return Prop("cylinder", (radius, high / 2), (x, y, low + high / 2), rgba=rgba, shine=shine)


def pawn(x: float, y: float, rng: Generator) -> list[Prop]:
    """A pawn: a foot, a cone of discs and a round head."""
    rgba, shine, foot = colour(rng), _shine(rng), float(rng.uniform(5, 10))
    tall, steps = foot * float(rng.uniform(1.6, 3)), 12
    neck, waist = foot * float(rng.uniform(0.25, 0.5)), float(rng.uniform(0.6, 2.0))
    parts = [_disc(x, y, 0, foot, tall * 0.08, rgba, shine)]
    for i in range(steps):
        radius = neck + (foot * 0.92 - neck) * (1 - i / steps) ** waist
        parts.append(_disc(x, y, tall * (0.08 + 0.92 * i / steps), radius, tall / steps, rgba, shine))
    head = foot * float(rng.uniform(0.5, 0.75))
    parts.append(Prop("ellipsoid", (head, head, head), (x, y, tall + 0.6 * head), rgba=rgba, shine=shine))
    return parts


def draughtsman(x: float, y: float, rng: Generator) -> list[Prop]:
    """A disc with rings, sometimes two stacked; also poker chips and coins."""
    rgba, other, shine = colour(rng), colour(rng), _shine(rng)
    radius, high = float(rng.uniform(7, 18)), float(rng.uniform(1.5, 8))
    parts = [_disc(x, y, high * i, radius, high, rgba, shine) for i in range(int(rng.integers(1, 3)))]
    top = high * len(parts)
    for i, ring in enumerate(np.sort(rng.uniform(0.15, 0.9, int(rng.integers(0, 5))))[::-1]):
        parts.append(_disc(x, y, top + 0.03 * i, radius * float(ring), 0.05, other if i % 2 == 0 else rgba, shine))
    return parts


def ring(x: float, y: float, rng: Generator) -> list[Prop]:
    """A nut, a washer or a bead: a disc or a ball with a dark hole."""
    rgba, shine, radius = colour(rng), _shine(rng), float(rng.uniform(4, 11))
    hole, dark = radius * float(rng.uniform(0.2, 0.6)), (0.03, 0.03, 0.03, 1.0)
    if rng.random() < 0.5:
        high = radius * float(rng.uniform(0.3, 1.2))
        return [_disc(x, y, 0, radius, high, rgba, shine), _disc(x, y, high, hole, 0.1, dark, 0.0)]
    ball = Prop("ellipsoid", (radius, radius, radius * 0.8), (x, y, radius * 0.8), rgba=rgba, shine=shine)
    return [ball, _disc(x, y, 1.6 * radius * 0.9, hole * 0.5, 1.6 * radius * 0.11, dark, 0.0)]


def ball(x: float, y: float, rng: Generator) -> list[Prop]:
    """A marble, a pill or a sweet."""
    radius, flat = float(rng.uniform(4, 14)), float(rng.uniform(0.4, 1))
    size = (radius, radius * float(rng.uniform(0.6, 1)), radius * flat)
    return [Prop("ellipsoid", size, (x, y, size[2]), turned(float(rng.uniform(0, 360))), colour(rng), _shine(rng))]


def cube(x: float, y: float, rng: Generator) -> list[Prop]:
    """A plain block, sometimes two stacked."""
    rgba, shine, half = colour(rng), _shine(rng), float(rng.uniform(3.5, 10))
    size = (half, half * float(rng.choice([1, 1, 2, 0.7])), half)
    quat = turned(float(rng.uniform(0, 360)))
    return [Prop("box", size, (x, y, half * (1 + 2 * i)), quat, rgba, shine) for i in range(int(rng.integers(1, 3)))]


def _spots(
    x: float, y: float, top: float, side: float, value: int, degrees: float, rgba: Rgba, radius: float, high: float
) -> list[Prop]:
    """Round spots in the pip layout of a value on a square of that side."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    spots = np.array(PIPS[value], float).reshape(-1, 2) * side * 0.27 @ np.array([[c, s], [-s, c]])
    return [_disc(x + float(u), y + float(v), top, radius, high, rgba, 0.2) for u, v in spots]


def domino(x: float, y: float, rng: Generator) -> list[Prop]:
    """A flat tile of two squares with pips and a line between them."""
    body, ink = colour(rng), colour(rng)
    if rng.random() < 0.7:
        light = rng.random() < 0.6
        body, ink = ((0.92, 0.9, 0.84, 1.0), (0.05, 0.05, 0.05, 1.0))[:: 1 if light else -1]
    side, high, degrees = float(rng.uniform(11, 26)), float(rng.uniform(3, 9)), float(rng.uniform(0, 360))
    quat, pip = turned(degrees), side * float(rng.uniform(0.07, 0.12))
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    parts = [Prop("box", (side, side / 2, high / 2), (x, y, high / 2), quat, body, _shine(rng))]
    parts.append(Prop("box", (side * 0.02, side * 0.42, 0.03), (x, y, high), quat, ink, 0.1))
    for end in (-1, 1):
        value = int(rng.integers(0, 7))
        if value:
            at = x + float(end * side / 2 * c), y + float(end * side / 2 * s)
            parts += _spots(*at, high, side, value, degrees + 90 * float(rng.integers(2)), ink, pip, 0.06)
    return parts


def brick(x: float, y: float, rng: Generator) -> list[Prop]:
    """A toy brick with studs."""
    rgba, shine, degrees = colour(rng), 0.6, float(rng.uniform(0, 360))
    wide, deep, high = int(rng.integers(1, 5)), int(rng.integers(1, 3)), float(rng.choice([3.2, 9.6]))
    parts = [Prop("box", (4.0 * wide, 4.0 * deep, high / 2), (x, y, high / 2), turned(degrees), rgba, shine)]
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    for i in range(wide):
        for j in range(deep):
            u, v = 8 * (i - (wide - 1) / 2), 8 * (j - (deep - 1) / 2)
            parts.append(_disc(x + float(u * c - v * s), y + float(u * s + v * c), high, 2.4, 1.8, rgba, shine))
    return parts


def home(x: float, y: float, rng: Generator) -> list[Prop]:
    """A home area printed on a board: a round or square field with spots or circles in a pip layout, as in Ludo."""
    field, ink, side = colour(rng), colour(rng), float(rng.uniform(14, 70))
    degrees, radius = float(rng.uniform(0, 360)), side * float(rng.uniform(0.07, 0.16))
    ground = (
        _disc(x, y, 0, side * 0.6, 0.1, field, 0.1)
        if rng.random() < 0.5
        else Prop("box", (side / 2, side / 2, 0.05), (x, y, 0.05), turned(degrees), field, 0.1)
    )
    parts = [ground, *_spots(x, y, 0.1, side, int(rng.choice([1, 2, 3, 4, 4, 4, 5, 6])), degrees, ink, radius, 0.05)]
    if rng.random() < 0.5:  # circles instead of spots
        parts += [_disc(*p.position[:2], 0.16, p.size[0] * 0.75, 0.03, field, 0.1) for p in parts if p is not ground]
    return parts


def path(x: float, y: float, rng: Generator) -> list[Prop]:
    """A row of round fields of a board."""
    field, rim, radius = colour(rng), colour(rng), float(rng.uniform(5, 12))
    angle, gap = float(rng.uniform(0, 2 * np.pi)), radius * float(rng.uniform(2.1, 3))
    parts = []
    for i in range(int(rng.integers(3, 8))):
        at = x + float(i * gap * np.cos(angle)), y + float(i * gap * np.sin(angle))
        parts += [_disc(*at, 0, radius, 0.1, rim, 0.1), _disc(*at, 0.1, radius * 0.85, 0.05, field, 0.1)]
    return parts


def button(x: float, y: float, rng: Generator) -> list[Prop]:
    """A button or a cap: a disc with a rim, and holes or a mark."""
    rgba, shine, radius = colour(rng), _shine(rng), float(rng.uniform(6, 16))
    high, dark = float(rng.uniform(1.5, 6)), colour(rng)
    parts = [_disc(x, y, 0, radius, high, rgba, shine)]
    return parts + _spots(
        x, y, high, radius * float(rng.uniform(0.7, 1.4)), int(rng.choice([1, 2, 4])), float(rng.uniform(0, 360)),
        dark, radius * float(rng.uniform(0.08, 0.2)), 0.05,
    )  # fmt: skip


def key(x: float, y: float, rng: Generator) -> list[Prop]:
    """A keyboard key: a low block with a smaller one and a symbol on top."""
    rgba, ink, half = colour(rng), colour(rng), float(rng.uniform(6, 10))
    high, degrees = float(rng.uniform(3, 9)), float(rng.choice([0.0, 90.0]) + rng.normal(0, 5))
    quat = turned(degrees)
    return [
        Prop("box", (half, half, high / 2), (x, y, high / 2), quat, rgba, 0.3),
        Prop("box", (half * 0.8, half * 0.8, 0.5), (x, y, high + 0.5), quat, rgba, 0.3),
        _disc(x, y, high + 1, half * float(rng.uniform(0.1, 0.35)), 0.05, ink, 0.1),
    ]


PIECES: dict[Piece, float] = {
    pawn: 3.0, draughtsman: 2.5, ring: 1.5, ball: 1.0, cube: 1.5, domino: 2.5, brick: 1.5, home: 2.0, path: 0.8,
    button: 1.0, key: 0.7,
}  # fmt: skip


def game_pieces(rng: Generator, reach: float, count: int) -> list[Prop]:
    """`count` pieces within `reach` mm of the centre, of at most three kinds, as in one game."""
    kinds, weights = list(PIECES), np.array([*PIECES.values()])
    some = rng.choice(len(kinds), min(3, 1 + int(rng.integers(3))), replace=False, p=weights / weights.sum())
    parts, taken = [], np.zeros((0, 2))
    for _ in range(count):
        for _ in range(20):
            spot = rng.uniform(-reach, reach, 2)
            if not len(taken) or np.abs(taken - spot).max(axis=1).min() > 22:
                break
        taken = np.vstack([taken, spot])
        parts += kinds[int(some[int(rng.integers(len(some)))])](float(spot[0]), float(spot[1]), rng)
    return parts
