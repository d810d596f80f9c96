"""Fictional editions of card games: twenty kinds each, generated from numbers in one frame per edition.

Cards of one game are hard to distinguish because they share frame, title band, text box and rows of printed dice. So
all kinds of an edition share these, and only picture, title, text and (in some editions) the tint of the frame differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from tests.kit.cards import print_die
from tests.kit.dice import Picture
from tests.kit.table import noise

EDITIONS = 8
KINDS = 20
PIXELS = 6.0  # resolution of a face, pixels per millimetre
FORMATS = (
    (59.0, 92.0),
    (44.0, 68.0),
    (63.0, 88.0),
    (57.0, 87.0),
    (56.0, 87.0),
    (63.5, 88.9),
    (70.0, 70.0),
    (45.0, 68.0),
)
_SYLLABLES = (
    "ka",
    "ro",
    "mi",
    "tel",
    "an",
    "bur",
    "so",
    "li",
    "dra",
    "ne",
    "fo",
    "gu",
    "sti",
    "we",
    "pol",
    "ha",
    "jo",
    "xe",
)


@dataclass(frozen=True, slots=True)
class CardEdition:
    """The features that all kinds of one edition share. Lengths are fractions of the card's width, colours BGR."""

    number: int
    wide_mm: float
    tall_mm: float
    border: tuple[int, int, int]
    border_width: float
    paper: tuple[int, int, int]
    ink: tuple[int, int, int]
    window: tuple[float, float]  # top and bottom of the picture, fractions of the height
    title_at: float | None  # middle of the title band, fraction of the height
    font: int
    tinted: bool  # kinds come in groups, each with its own tint of the frame
    dice: bool  # a row of printed dice
    style: str  # of the pictures: painted, flat or drawn


def edition(number: int) -> CardEdition:
    """The edition with this number; every number is valid, but only EDITIONS of them differ."""
    rng = np.random.default_rng([0xED17, number])
    wide, tall = FORMATS[number % len(FORMATS)]
    dark = rng.uniform() < 0.4
    border = (20, 18, 22) if dark else tuple(int(v) for v in rng.integers(120, 250, 3))
    paper = tuple(int(v) for v in rng.integers(190, 250, 3))
    top = float(rng.uniform(0.08, 0.16))
    return CardEdition(
        number, wide, tall, border, float(rng.uniform(0.02, 0.07)), paper,  # type: ignore[arg-type]
        tuple(int(v) for v in rng.integers(0, 70, 3)), (top, float(rng.uniform(0.52, 0.8))),  # type: ignore[arg-type]
        top / 2 + 0.02 if rng.uniform() < 0.8 else None, int(rng.choice([0, 2, 3, 4])), bool(rng.uniform() < 0.5),
        bool(rng.uniform() < 0.5), ("painted", "flat", "drawn")[number % 3],
    )  # fmt: skip


def _tone(rng: np.random.Generator, low: int = 0, high: int = 256) -> tuple[int, int, int]:
    b, g, r = (int(v) for v in rng.integers(low, high, 3))
    return b, g, r


def _words(rng: np.random.Generator, count: int) -> str:
    return " ".join("".join(rng.choice(_SYLLABLES, int(rng.integers(1, 4)))) for _ in range(count))


def _painting(rng: np.random.Generator, w: int, h: int, style: str) -> Picture:
    """A landscape with figures, (h, w, 3)."""
    size = 256
    sky, ground = np.array(_tone(rng), np.float32), np.array(_tone(rng), np.float32)
    mix = np.linspace(0, 1, size, dtype=np.float32)[:, None] + 0.8 * (noise(rng, 60, size=size) - 0.5)
    art = sky + (ground - sky) * np.clip(mix, 0, 1)[..., None]
    if style == "painted":
        for cell in (40, 12, 5):
            art = art + (noise(rng, cell, size=size)[..., None] - 0.5) * np.array(_tone(rng, 40, 160), np.float32)
    picture = np.clip(art, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(8, 20))):
        at, reach = tuple(int(v) for v in rng.integers(0, size, 2)), float(rng.uniform(8, 60))
        colour = _tone(rng)
        what = rng.integers(3)
        if what == 0:
            axes = int(reach), int(reach * rng.uniform(0.3, 1))
            cv2.ellipse(picture, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
        elif what == 1:
            corners = np.array(at) + rng.normal(0, reach, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(picture, [cv2.convexHull(corners.astype(np.int32))], colour, cv2.LINE_AA)
        else:
            path = np.cumsum(rng.normal(0, reach / 2, (12, 2)), axis=0) + at
            cv2.polylines(picture, [path.astype(np.int32)], False, colour, int(rng.integers(2, 9)), cv2.LINE_AA)
        if style == "drawn":
            path = np.cumsum(rng.normal(0, reach / 3, (20, 2)), axis=0) + at
            cv2.polylines(picture, [path.astype(np.int32)], False, (20, 20, 25), 2, cv2.LINE_AA)
    if style == "painted":
        light = 0.7 + 0.6 * noise(rng, 90, size=size)[..., None]
        picture = np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) * light, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(picture, (w, h), interpolation=cv2.INTER_CUBIC), np.uint8)


@lru_cache(maxsize=256)
def face(number: int, kind: int) -> Picture:
    """The face of one kind of an edition, (H, W, 3) BGR, PIXELS per millimetre; every kind number is valid."""
    look = edition(number)
    rng = np.random.default_rng([0xFACE, number, kind])
    w, h = round(look.wide_mm * PIXELS), round(look.tall_mm * PIXELS)
    card = np.full((h, w, 3), look.border, np.uint8)
    edge = max(3, int(look.border_width * w))
    tints = np.random.default_rng([0x717, number]).integers(90, 240, (5, 3))
    paper = tuple(int(v) for v in tints[kind % 5]) if look.tinted else look.paper
    cv2.rectangle(card, (edge, edge), (w - edge, h - edge), paper, -1)
    top, low = int(look.window[0] * h), int(look.window[1] * h)
    side = 2 * edge
    card[top:low, side : w - side] = _painting(rng, w - 2 * side, low - top, look.style)
    cv2.rectangle(card, (side, top), (w - side, low), look.ink, 2, cv2.LINE_AA)
    if look.title_at is not None:
        at = int(look.title_at * h)
        cv2.putText(card, _words(rng, 1).title(), (side, at + 8), look.font, w / 330, look.ink, 2, cv2.LINE_AA)
        cv2.circle(card, (w - side - 10, at), 9, look.ink, -1, cv2.LINE_AA)
    line, step = low + 24, 18
    last = h - edge - (60 if look.dice else 14)
    while line < last:
        cv2.putText(card, _words(rng, 6), (side + 4, line), look.font, w / 700, look.ink, 1, cv2.LINE_AA)
        line += step
    card[:, w - edge :] = look.border
    if look.dice:
        style = int(np.random.default_rng(number).integers(1 << 30))
        for i in range(int(rng.integers(1, 6))):
            middle = side + 24 + 36.0 * i, h - edge - 26.0
            print_die(card, middle, 30, int(rng.integers(1, 7)), np.random.default_rng(style), (235, 240, 242))
    return card
