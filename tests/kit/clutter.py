"""Other objects on a games table: cards, coins, pens, cables, other dice, a tray, a hand."""

from __future__ import annotations

import cv2
import numpy as np

from tests.kit.dice import Array, DieLook, Picture, random_look
from tests.kit.props import Prop
from tests.kit.table import surface

Quat = tuple[float, float, float, float]
SKIN = ((0.93, 0.76, 0.66), (0.87, 0.66, 0.53), (0.75, 0.53, 0.4), (0.55, 0.37, 0.26), (0.37, 0.24, 0.17))


def turned(degrees: float) -> Quat:
    """The rotation about the vertical axis, (3, 3)."""
    half = np.radians(degrees) / 2
    return float(np.cos(half)), 0.0, 0.0, float(np.sin(half))


def between(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[tuple[float, float, float], Quat, float]:
    """Centre, rotation and half length of a capsule from a to b."""
    start, end = np.array(a, float), np.array(b, float)
    way = end - start
    length = float(np.linalg.norm(way))
    axis = np.cross([0.0, 0.0, 1.0], way / length)
    angle = float(np.arccos(np.clip(way[2] / length, -1, 1)))
    norm = float(np.linalg.norm(axis))
    axis = axis / norm if norm > 1e-9 else np.array([1.0, 0.0, 0.0])
    s = np.sin(angle / 2)
    x, y, z = (float(v) for v in (start + end) / 2)
    return (x, y, z), (float(np.cos(angle / 2)), *(float(s * v) for v in axis)), length / 2  # type: ignore[return-value]


def card_print(rng: np.random.Generator) -> Picture:
    """A playing card's face, sometimes with round spots in a pip layout."""
    h, w = 176, 128
    face = np.full((h, w, 3), 240, np.uint8)
    face[:] = np.array(rng.integers([190, 185, 170], 256))
    ink = tuple(int(v) for v in rng.integers(0, 160, 3))
    cv2.rectangle(face, (4, 4), (w - 5, h - 5), ink, 2)
    what = rng.integers(4)
    if what == 0:
        for x, y in rng.permutation([(x, y) for x in (36, 64, 92) for y in (40, 88, 136)])[: rng.integers(1, 10)]:
            cv2.circle(face, (int(x), int(y)), 10, ink, -1, cv2.LINE_AA)
    elif what == 1:
        art = cv2.resize(surface(int(rng.integers(4000))), (w - 24, h // 2))
        face[12 : 12 + h // 2, 12 : w - 12] = art
        for y in range(h // 2 + 28, h - 10, 12):
            cv2.line(face, (16, y), (int(rng.integers(60, w - 16)), y), ink, 2)
    elif what == 2:
        cv2.putText(face, str(rng.integers(1, 11)), (10, 50), cv2.FONT_HERSHEY_TRIPLEX, 1.6, ink, 3, cv2.LINE_AA)
        cv2.ellipse(face, (w // 2, h // 2 + 16), (34, 46), 0, 0, 360, ink, -1, cv2.LINE_AA)
    else:  # the row of dice that a game prints on its cards
        for i, value in enumerate(rng.integers(1, 7, 3)):
            x = 12 + 36 * i
            cv2.rectangle(face, (x, 120), (x + 30, 150), ink, 2)
            cv2.putText(face, str(value), (x + 6, 144), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, 2, cv2.LINE_AA)
        cv2.circle(face, (w // 2, 60), 34, tuple(int(v) for v in rng.integers(0, 256, 3)), -1, cv2.LINE_AA)
    return face


def _tone(colour: Array) -> tuple[float, float, float, float]:
    """Red, green and blue 0..1, opaque."""
    return float(colour[0]), float(colour[1]), float(colour[2]), 1.0


def hand(group: int, skin: tuple[float, float, float], rng: np.random.Generator, *, fingers: float = 0.6) -> list[Prop]:
    """A right hand as one group. The wrist points to -y, the origin is in the palm; fingers: 0 flat to 1 fist."""
    parts = []
    shade = np.clip(np.array(skin) * rng.uniform(0.92, 1.05), 0, 1)
    tone = (float(shade[0]), float(shade[1]), float(shade[2]), 1.0)
    parts.append(Prop("ellipsoid", (42, 46, 17), (0, -10, 0), rgba=tone, shine=0.12, group=group))
    for i, length in enumerate((68, 78, 74, 58)):
        x = -30 + 20 * i
        knuckle = (x * 1.0, 28.0, 6.0)
        bend = length * (1 - 0.55 * fingers)
        joint = (x * 1.08, 28 + bend * 0.55, 6 + 10 * (1 - fingers))
        tip = (x * 1.05, 28 + bend * (1 - 0.35 * fingers), -6 - 34 * fingers)
        for a, b, r in ((knuckle, joint, 9.0), (joint, tip, 8.0)):
            at, quat, half = between(a, b)
            parts.append(Prop("capsule", (r, half), at, quat, tone, 0.15, group))
    for a, b, r in (((-34.0, -20.0, 0.0), (-58.0, 10.0, -6.0), 11.0), ((-58.0, 10.0, -6.0), (-46.0, 40.0, -16.0), 9.0)):
        at, quat, half = between(a, b)
        parts.append(Prop("capsule", (r, half), at, quat, tone, 0.15, group))
    at, quat, half = between((0, -40, 4), (0, -110, 14))
    parts.append(Prop("capsule", (25, half), at, quat, tone, 0.1, group))
    sleeve = _tone(rng.uniform(0.05, 0.8, 3))
    at, quat, half = between((0, -120, 16), (0, -520, 60))
    parts.append(Prop("capsule", (38, half), at, quat, sleeve, 0.05, group))
    return parts


def tray(rng: np.random.Generator, wide: float, deep: float) -> list[Prop]:
    """The four low walls of a dice tray."""
    tone = _tone(rng.uniform(0.05, 0.7, 3))
    high, thick = float(rng.uniform(8, 30)), float(rng.uniform(2, 8))
    sides = ((-wide, 0, thick, deep), (wide, 0, thick, deep), (0, -deep, wide, thick), (0, deep, wide, thick))
    return [Prop("box", (w, d, high), (x, y, high), rgba=tone, shine=0.1) for x, y, w, d in sides]


def clutter(rng: np.random.Generator, reach: float, free: float) -> list[Prop]:
    """Random objects within `reach` mm of the centre; those higher than a card stay `free` mm away from it."""

    def spot(near: float) -> tuple[float, float]:
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(near, max(near + 1, reach))
        return float(far * np.cos(angle)), float(far * np.sin(angle))

    things: list[Prop] = []
    for i in range(int(rng.poisson(1.2))):
        x, y = spot(0.2 * free)
        z = 0.3 + 0.35 * i
        things.append(
            Prop("box", (31, 44, 0.2), (x, y, z), turned(rng.uniform(0, 360)), shine=0.3, print=card_print(rng))
        )
    for _ in range(int(rng.poisson(0.8))):
        x, y = spot(free)
        metal = rng.choice([0, 1, 2])
        tone = ((0.72, 0.7, 0.68, 1.0), (0.72, 0.45, 0.3, 1.0), (0.8, 0.68, 0.35, 1.0))[int(metal)]
        things.append(Prop("cylinder", (float(rng.uniform(8, 14)), 1.0), (x, y, 1.0), rgba=tone, shine=0.9))
    for _ in range(int(rng.poisson(0.5))):
        x, y = spot(free)
        look = random_look(int(rng.integers(100_000)))
        figures = DieLook(
            size=look.size,
            roundness=0.08,
            body=look.body,
            second=look.second,
            pips=look.pips,
            numerals=True,
            seed=look.seed,
        )
        things.append(Prop("box", (1,), (x, y, look.size / 2), turned(rng.uniform(0, 360)), look=figures))
    for _ in range(int(rng.poisson(0.35))):
        x, y = spot(free * 1.2)
        angle = rng.uniform(0, np.pi)
        a, b = (
            (x - 70 * np.cos(angle), y - 70 * np.sin(angle), 5.0),
            (x + 70 * np.cos(angle), y + 70 * np.sin(angle), 5.0),
        )
        at, quat, half = between(a, b)
        things.append(Prop("capsule", (4.5, half), at, quat, _tone(rng.uniform(0, 0.9, 3)), 0.5))
    if rng.uniform() < 0.2:  # a cable
        x, y = spot(free)
        way = rng.uniform(0, 2 * np.pi)
        for _ in range(14):
            way += rng.normal(0, 0.35)
            step = (x + 24 * np.cos(way), y + 24 * np.sin(way))
            at, quat, half = between((x, y, 3.0), (*step, 3.0))
            if np.hypot(*at[:2]) > free:
                things.append(Prop("capsule", (2.6, half), at, quat, (0.04, 0.04, 0.04, 1.0), 0.3))
            x, y = step
    if rng.uniform() < 0.12:  # a telephone or a box
        x, y = spot(free + 60)
        tone = _tone(rng.uniform(0, 1, 3) ** 2)
        things.append(
            Prop("box", (38, 76, float(rng.uniform(4, 25))), (x, y, 4), turned(rng.uniform(0, 360)), tone, 0.6)
        )
    return things
