"""Cards of a dice game around the table, with printed dice.

A card shows its cost as a row of small dice (Um Krone und Kragen, Knatsch) or one large die that counts (Knatsch's dice
cards). They are generated from numbers, no two alike; no published card is copied.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from tests.kit.clutter import turned
from tests.kit.dice import Array, Picture
from tests.kit.props import Prop
from tests.kit.table import surface

DESIGNS = 4000
PIXELS = 4.0  # resolution of a print, pixels per millimetre
FORMATS = ((44.0, 68.0), (57.0, 87.0), (59.0, 92.0), (63.0, 88.0), (70.0, 70.0))  # millimetres, as cards are sold
_SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
EDGES = ((-120, 60), (-120, -60), (120, 60), (120, -60), (-60, 95), (60, 95), (0, -100))  # of a table: mm
Colour = tuple[int, int, int]


class PrintedCard(NamedTuple):
    """A card.

    Attributes:
        face: (h, w, 3) RGB.
        wide, tall: Size in mm.
        dice: Centres and sides of its printed dice, pixels.
    """

    face: Picture
    wide: float
    tall: float
    dice: list[tuple[float, float, float]]


def _tone(rng: np.random.Generator, low: float, high: float) -> Colour:
    r, g, b = (int(v) for v in rng.uniform(low, high, 3))
    return r, g, b


def print_die(
    face: Picture, middle: tuple[float, float], side: float, value: int, style: np.random.Generator, body: Colour
) -> None:
    """Prints a die, flat or as a cube with two of its sides; side: of its top, pixels."""
    ink: Colour = (20, 20, 20) if sum(body) > 330 else (245, 245, 245)
    if style.uniform() < 0.15:
        ink = _tone(style, 0, 255)
    solid, outlined = style.uniform() < 0.25, style.uniform() < 0.6
    rounding, pip = float(style.uniform(0.02, 0.35)), float(style.uniform(0.08, 0.11)) * side
    if solid:  # right and lower side, in a darker tone
        off = side * float(style.uniform(0.15, 0.4))
        for k in np.linspace(1, 0, max(2, int(off))):
            shade = tuple(int(c * (0.55 + 0.2 * (k < 0.5))) for c in body)
            _rounded(face, (middle[0] + off * k, middle[1] + off * k), side, rounding, (shade[0], shade[1], shade[2]))
    _rounded(face, middle, side, rounding, body)
    if outlined:
        _rounded(face, middle, side, rounding, ink, max(1, round(side / 20)))
    turn, pitch = style.uniform() < 0.5, side * float(style.uniform(0.24, 0.3))
    for x, y in _SPOTS[value]:
        x, y = (y, -x) if turn else (x, y)
        at = round(16 * (middle[0] + x * pitch)), round(16 * (middle[1] + y * pitch))
        cv2.circle(face, at, round(16 * pip), ink, -1, cv2.LINE_AA, 4)


def _rounded(
    face: Picture, middle: tuple[float, float], side: float, rounding: float, colour: Colour, line: int = 0
) -> None:
    """A square with rounded corners, filled, or its outline."""
    radius = max(0.5, rounding * side)
    inner = side / 2 - radius
    angles = np.linspace(0, 2 * np.pi, 33)[:-1]
    outline = np.column_stack([np.cos(angles), np.sin(angles)])
    outline = middle + inner * np.sign(np.round(outline, 6)) + radius * outline
    points = np.round(outline * 16).astype(np.int32)
    if line:
        cv2.polylines(face, [points], True, colour, line, cv2.LINE_AA, 4)
    else:
        cv2.fillPoly(face, [points], colour, cv2.LINE_AA, 4)


def game_card(number: int) -> PrintedCard:
    """The card of that number, one of a few thousand."""
    rng = np.random.default_rng([0xCA2D, number])
    wide, tall = FORMATS[rng.integers(len(FORMATS))]
    h, w = round(tall * PIXELS), round(wide * PIXELS)
    face = np.full((h, w, 3), rng.integers(120, 256, 3), np.uint8)
    if rng.uniform() < 0.6:  # an illustration, all over or above the text
        low = h if rng.uniform() < 0.5 else round(h * 0.6)
        face[:low] = cv2.resize(surface(int(rng.integers(4000))), (w, low))
        for _ in range(int(rng.integers(1, 6))):  # shapes in the illustration
            at = int(rng.integers(0, w)), int(rng.integers(0, low))
            axes = int(rng.uniform(0.05, 0.3) * w), int(rng.uniform(0.05, 0.3) * w)
            cv2.ellipse(face, at, axes, float(rng.uniform(0, 180)), 0, 360, _tone(rng, 0, 255), -1, cv2.LINE_AA)
    if rng.uniform() < 0.7:
        edge = int(rng.uniform(0.02, 0.08) * w)
        cv2.rectangle(face, (edge // 2, edge // 2), (w - edge // 2, h - edge // 2), _tone(rng, 0, 255), edge)
    if rng.uniform() < 0.7:
        name = "".join(rng.choice(list("aehilmnorstuKRS"), int(rng.integers(4, 10))))
        cv2.putText(face, name, (w // 8, h // 7), 3, w / 300, _tone(rng, 0, 120), max(1, w // 120), cv2.LINE_AA)
    body = (250, 248, 240) if rng.uniform() < 0.6 else _tone(rng, 0, 255)
    if rng.uniform() < 0.25:  # the card is a die
        side = float(rng.uniform(0.3, 0.75)) * w
        middle = w / 2, h * float(rng.uniform(0.4, 0.6))
        print_die(face, middle, side, int(rng.integers(1, 7)), rng, body)
        return PrintedCard(face, wide, tall, [(*middle, side)])
    return PrintedCard(face, wide, tall, _price(face, rng, body))


def _price(face: Picture, rng: np.random.Generator, body: Colour) -> list[tuple[float, float, float]]:
    """Prints the card's cost as dice, in one or two rows along an edge, sometimes on a band."""
    h, w = face.shape[:2]
    count, rows = int(rng.integers(1, 7)), int(rng.integers(1, 3))
    side = min(float(rng.uniform(4, 13)) * PIXELS, 0.9 * w / (1.15 * count))
    gap, number = side * float(rng.uniform(1.08, 1.4)), int(rng.integers(1 << 30))
    values = rng.integers(1, 7, count) if rng.uniform() < 0.6 else np.full(count, rng.integers(1, 7))
    upright, dice = rng.uniform() < 0.2, []
    for row in range(rows):
        at = (h * rng.uniform(0.1, 0.25)) if rng.uniform() < 0.3 else (h * rng.uniform(0.6, 0.92) - row * 1.2 * side)
        begin = rng.uniform(0.6 * side, max(0.61 * side, w - gap * count)) if not upright else 0.15 * w
        if rng.uniform() < 0.4 and not upright:
            top, low = int(at - 0.75 * side), int(at + 0.75 * side)
            cv2.rectangle(face, (0, top), (w, low), _tone(rng, 60, 255), -1)
        for i, value in enumerate(values):
            middle = (begin, h * 0.2 + i * gap) if upright else (begin + i * gap, at)
            print_die(face, middle, side, int(value), np.random.default_rng(number), body)
            dice.append((*middle, side))
    return dice


def any_design(rng: np.random.Generator, *, dev: bool = False) -> int:
    """A random design number; every eighth is reserved for development."""
    return int(rng.integers(DESIGNS)) // 8 * 8 + (7 if dev else int(rng.integers(7)))


def game_cards(rng: np.random.Generator, reach: float, spots: Array | None = None, *, dev: bool = False) -> list[Prop]:
    """One to six cards within `reach` mm of the middle, or near the given places (n, 2)."""
    things: list[Prop] = []
    together = rng.uniform() < 0.5  # cards in a row have the same rotation
    angle = float(rng.uniform(0, 360)) if rng.uniform() < 0.3 else float(rng.choice([0, 90, 180, 270]))
    for i in range(int(rng.integers(1, 7))):
        if spots is not None:
            x, y = (float(v) for v in spots[rng.integers(len(spots))] + rng.normal(0, 15, 2))
        else:
            way, far = rng.uniform(0, 2 * np.pi), reach * float(rng.uniform(0.2, 1))
            x, y = far * float(np.cos(way)), far * float(np.sin(way))
        face, wide, tall, _ = game_card(any_design(rng, dev=dev))
        turn = turned(angle + float(rng.normal(0, 8)) if together else float(rng.uniform(0, 360)))
        size = (wide / 2, tall / 2, 0.15)
        things.append(Prop("box", size, (x, y, 0.2 + 0.3 * i), turn, shine=float(rng.uniform(0.05, 0.5)), print=face))
    return things


def cards_around(rng: np.random.Generator, *, apart: float = 1.0, dev: bool = False) -> list[Prop]:
    """Cards at three edges of a table set for a game. apart: 1 for directly at its edges, more for farther outside."""
    return game_cards(rng, 150.0, rng.permutation(EDGES)[:3] * apart, dev=dev)
