"""Draws look-alikes of pip dice: dice with numerals, spotted cards, lit keys, toys' eyes and splashes.

They supplement the finder's own false detections, which show too few kinds, as "no die" samples of the reader. Dice
printed on cards are left out: in so narrow a crop, a white die seen from straight above is the same image, and training
on them lost a fifth of the real ones in `closeup`. `surroundings.py` trains that distinction.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from .backdrops import drawn_backdrop
from .cutouts import CONTEXT, PATCH
from .dice import draw_die, random_eye, random_style
from .photos import Image

POOL, SEED = 4000, 92
SIGNS = [*"1234561234560789ABCEFHIJKLMNPRSTUVXYZ+-?!x=#*%", "10", "12", "20", "6.", "9."]  # symbols on other dice


def load_drawn_others(cache: Path, count: int = POOL) -> Image:
    """(count, 160, 160, 3) patches around look-alikes; computed on the first call, memory-mapped later."""
    path = cache / f"others{count}_{SEED}.npy"
    if not path.exists():
        patches = np.empty((count, PATCH, PATCH, 3), np.uint8)
        for number in range(count):
            rng = np.random.default_rng([SEED, number])
            patches[number] = draw_other(rng)
        np.save(path, patches)
    return np.asarray(np.load(path, mmap_mode="r"))


def draw_other(rng: Generator) -> Image:
    """(160, 160, 3) BGR: a die with numerals or symbols, a card with spots, a lit key, an eye or a splash."""
    ways = (numeral_die, spotted_card, lit_key, toy_eye, splash)
    return ways[int(rng.choice(len(ways), p=(0.57, 0.24, 0.08, 0.06, 0.05)))](rng)


def lit_key(rng: Generator) -> Image:
    """A keyboard key with a luminous letter and its neighbours, or only such a letter, as large as a die."""
    size, key = 3 * PATCH, PATCH // 2
    dark, edge, gap = rng.uniform(0, 70, 3), key - int(rng.integers(4, 16)), int(rng.integers(2, 8))
    sheet = np.full((size, size, 3), dark * rng.uniform(0.2, 1), np.uint8)
    light = np.zeros((size, size), np.float32)
    font, thick, side = int(rng.integers(8)), int(rng.integers(3, 12)), int(rng.integers(24, 56))
    for row, column in np.ndindex(6, 6):
        x, y = column * key + gap, row * key + gap
        cv2.rectangle(sheet, (x, y), (x + edge - gap, y + edge - gap), dark.tolist(), -1, cv2.LINE_AA)
        mark = cv2.resize(_sign(str(rng.choice(list(SIGNS))), font, thick), (side, side), interpolation=cv2.INTER_AREA)
        left, top = x + (edge - gap - side) // 2, y + (edge - gap - side) // 2
        light[top : top + side, left : left + side] = mark
    light += float(rng.uniform(0, 0.8)) * cv2.GaussianBlur(light, (0, 0), float(rng.uniform(2, 12)))
    shine = rng.uniform(100, 256, 3) if rng.random() < 0.5 else rng.permutation([255.0, rng.uniform(0, 255), 20.0])
    sheet = np.asarray(np.clip(sheet + light[..., None] / 255 * shine, 0, 255), np.uint8)
    shown = key if rng.random() < 0.5 else 1.2 * side
    return slanted(np.roll(sheet, key // 2, (0, 1)), shown * float(rng.uniform(0.75, 1.0)), rng)


def toy_eye(rng: Generator) -> Image:
    """A round eye with its pupil, or a black bead, with a highlight."""
    patch, die = drawn_backdrop(PATCH, rng), PATCH / CONTEXT
    middle = (PATCH / 2 + rng.normal(0, 2, 2)).astype(int).tolist()
    radius = die / 2 * float(rng.uniform(0.8, 1.1))
    flat, turn = float(rng.uniform(0.6, 1)), float(rng.uniform(0, 180))
    colours = [rng.uniform(190, 256, 3), rng.uniform(0, 200, 3), rng.uniform(0, 40, 3)][int(rng.integers(2)) :]
    for colour in colours:
        axes = round(radius), round(radius * flat)
        cv2.ellipse(patch, middle, axes, turn, 0, 360, np.asarray(colour).tolist(), -1, cv2.LINE_AA)
        radius *= float(rng.uniform(0.45, 0.85))
    at = (np.array(middle) + rng.uniform(-0.5, 0.5, 2) * radius).astype(int).tolist()
    cv2.circle(patch, at, max(1, round(die * float(rng.uniform(0.03, 0.09)))), (255, 255, 255), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.4, 1.5))), np.uint8)


def splash(rng: Generator) -> Image:
    """Printed ink or paint splashes, as on boxes and shirts: blots of all sizes, a few as large as pips."""
    size = 3 * PATCH
    sheet = np.asarray(cv2.resize(drawn_backdrop(PATCH, rng), (size, size)), np.uint8)
    ink = rng.uniform(0, 256, 3).tolist()
    for _ in range(int(rng.integers(4, 14))):
        at, radius = size / 2 + rng.normal(0, 0.13 * size, 2), size * float(np.exp(rng.normal(np.log(0.03), 0.6)))
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        reach = radius * np.exp(rng.normal(0, 0.3, 8)).repeat(3)
        outline = at + reach[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        cv2.fillPoly(sheet, [outline.astype(np.int32)], ink, cv2.LINE_AA)
    return slanted(sheet, 0.3 * size, rng)


def numeral_die(rng: Generator) -> Image:
    """A cube with numbers, letters or symbols on its sides, on a random surface."""
    patch, mask = numeral_cube(rng)
    back = drawn_backdrop(PATCH, rng)
    shade = cv2.GaussianBlur(np.roll(mask, rng.integers(-14, 15, 2), (0, 1)), (0, 0), float(rng.uniform(2, 12)))
    back = back * (1 - shade[..., None] * (float(rng.uniform(0.0, 0.7)) / 255))
    alpha = mask[..., None] / np.float32(255)
    return np.asarray(back + alpha * (patch - back), np.uint8)


def numeral_cube(rng: Generator) -> tuple[Image, Image]:
    """A cube with numerals or symbols, sometimes with an empty side: patch and mask as from `draw_die`."""
    style, (eye, _) = random_style(rng), random_eye(rng)
    font, thick = int(rng.integers(8)), int(rng.integers(4, 12))
    blank = rng.random() < 0.1
    marks = [np.zeros((96, 96), np.uint8) if blank else _sign(str(rng.choice(SIGNS)), font, thick) for _ in range(6)]
    return draw_die(int(rng.integers(1, 7)), style, eye, rng, marks)


def _sign(text: str, font: int, thick: int) -> Image:
    """A white symbol on black, as large as its square allows, upright."""
    mark = np.zeros((96, 96), np.uint8)
    (wide, high), _ = cv2.getTextSize(text, font, 1, 1)
    scale = min(76 / max(wide, 1), 76 / max(high, 1), 4)
    at = round(48 - wide * scale / 2), round(48 + high * scale / 2)
    cv2.putText(mark, text, at, font, scale, 255, thick, cv2.LINE_AA)
    return mark


def spotted_card(rng: Generator, context: float = CONTEXT) -> Image:
    """A card with a border and one to nine large round spots in a pip layout, or a large number."""
    size = 3 * PATCH
    sheet = np.asarray(cv2.resize(drawn_backdrop(PATCH, rng), (size, size)), np.uint8)
    tall = size * float(rng.uniform(0.35, 0.75))
    wide = tall * float(rng.uniform(0.6, 0.8))
    x, y = size / 2 - wide / 2, size / 2 - tall / 2
    paper, ink = rng.uniform(150, 256, 3), rng.uniform(0, 170, 3)
    cv2.rectangle(sheet, (int(x), int(y)), (int(x + wide), int(y + tall)), paper.tolist(), -1)
    if rng.random() < 0.7:
        inset = wide * float(rng.uniform(0.02, 0.06))
        low = int(x + wide - inset), int(y + tall - inset)
        cv2.rectangle(sheet, (int(x + inset), int(y + inset)), low, ink.tolist(), max(1, int(inset / 2)), cv2.LINE_AA)
    if rng.random() < 0.25:
        mark = _sign(str(rng.choice(list("1234567890"))), int(rng.integers(8)), int(rng.integers(6, 16)))
        side = int(wide * float(rng.uniform(0.25, 0.8)))
        left, top = int(size / 2 - side / 2), int(size / 2 - side / 2)
        part = sheet[top : top + side, left : left + side]
        alpha = cv2.resize(mark, (side, side), interpolation=cv2.INTER_AREA)[..., None] / np.float32(255)
        part[:] = part + alpha * (ink - part)
        middle = 0.0
    else:
        spots = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        radius = int(wide * float(rng.uniform(0.06, 0.1)))
        for pick in rng.permutation(9)[: int(rng.integers(1, 10))]:
            i, j = spots[int(pick)]
            at = int(size / 2 + i * wide * 0.3), int(size / 2 + j * tall * 0.3)
            cv2.circle(sheet, at, radius, ink.tolist(), -1, cv2.LINE_AA)
        middle = float(rng.uniform(-0.25, 0.25)) * tall
    sheet = np.roll(sheet, round(middle), 0)
    return slanted(sheet, wide * float(rng.uniform(0.7, 1.3)), rng, context)


def slanted(sheet: Image, side: float, rng: Generator, context: float = CONTEXT) -> Image:
    """A patch of a flat sheet in perspective, randomly rotated and tilted.

    Args:
        sheet: (n, n, 3).
        side: Pixels of the sheet that take the place of a die.
        rng: Random generator.
        context: Width of the patch in dice.
    """
    size = sheet.shape[0]
    # Few from straight above, where a printed die looks like a real one.
    slant, turn = (
        np.deg2rad(rng.uniform(15, 65) if rng.random() < 0.9 else rng.uniform(0, 15)),
        rng.uniform(0, 2 * np.pi),
    )
    away = float(rng.uniform(4, 20)) * side
    flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * size / 2
    seen = at_slant(flat, float(turn), float(slant), away)
    scale = PATCH / context / side * float(np.exp(rng.normal(0, 0.1)))
    way = cv2.getPerspectiveTransform(flat + size / 2, (seen * scale + PATCH / 2).astype(np.float32))
    sheet = cv2.GaussianBlur(sheet, (0, 0), max(0.3, 0.45 / scale))  # antialiasing
    patch = cv2.warpPerspective(sheet, way, (PATCH, PATCH), borderMode=cv2.BORDER_REFLECT_101)
    bright = float(rng.uniform(0.5, 1.1))
    return np.asarray(np.clip(patch * bright, 0, 255), np.uint8)


def at_slant(flat: np.ndarray, turn: float, slant: float, away: float) -> np.ndarray:
    """Projects points of a table to an image; the lower edge is nearer.

    Args:
        flat: (n, 2) points around the image centre.
        turn: Rotation on the table, radians.
        slant: Angle of the camera from the vertical, radians.
        away: Distance of the camera, in the unit of the points.
    """
    x, y = (flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])).T
    return np.column_stack([x, y * np.cos(slant)]) / np.maximum(1 - y * np.sin(slant) / away, 0.2)[:, None]
