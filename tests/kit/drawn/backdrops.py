"""Backgrounds without pip dice: crops of real images between the dice, and synthetic ones with look-alikes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator

from .photos import UNLABELLED_DICE, Image, Photo


def real_backdrop(photos: Sequence[Photo], size: int, rng: Generator) -> Image:
    """A square crop of an image that touches no labelled die, scaled to (size, size).

    A synthetic background if none is found after a few tries.
    """
    for _ in range(8):
        photo = photos[int(rng.integers(len(photos)))]
        if photo.set_name in UNLABELLED_DICE:
            continue
        height, width = photo.image.shape[:2]
        side = int(rng.uniform(0.12, 0.7) * min(height, width))
        x, y = int(rng.integers(0, width - side)), int(rng.integers(0, height - side))
        box = photo.xyxy
        margin = 0.6 * (box[:, 2:] - box[:, :2]).max(axis=1, initial=0) if len(box) else np.zeros(0)
        hit = (box[:, 0] - margin < x + side) & (box[:, 2] + margin > x)
        hit &= (box[:, 1] - margin < y + side) & (box[:, 3] + margin > y)
        if not hit.any():
            piece = photo.image[y : y + side, x : x + side]
            piece = cv2.resize(piece, (size, size), interpolation=cv2.INTER_AREA if side > size else cv2.INTER_LINEAR)
            return np.ascontiguousarray(np.rot90(piece, int(rng.integers(4))))
    return drawn_backdrop(size, rng)


def drawn_backdrop(size: int, rng: Generator) -> Image:
    """A random background: clouds, grain, boards or a weave in two colours."""
    colours = rng.uniform(0, 255, (2, 3))
    colours[1] = colours[0] + rng.normal(0, rng.uniform(8, 70), 3)
    half = size // 2
    shape = np.zeros((half, half), np.float32)
    kind = rng.integers(4)
    if kind == 1:  # boards: noise stretched in one direction
        shape += cv2.resize(rng.random((half, 4), dtype=np.float32), (half, half))
    if kind == 2:  # weave or tiles
        ramp = np.arange(half, dtype=np.float32) * (2 * np.pi / rng.uniform(3, 40))
        shape += 0.5 + 0.5 * np.sin(ramp)[:, None] * np.cos(ramp)[None]
    for cells in (3, 9, 40, half):
        grain = rng.random((cells, cells), dtype=np.float32)
        shape += float(rng.uniform(0, 0.6)) * cv2.resize(grain, (half, half), interpolation=cv2.INTER_CUBIC)
    levels: Image = cv2.normalize(shape, np.empty_like(shape), 0, 255, cv2.NORM_MINMAX).astype(np.uint8)
    curve = colours[0] + np.linspace(0, 1, 256)[:, None] * (colours[1] - colours[0])
    levels = cv2.resize(levels, (size, size), interpolation=cv2.INTER_LINEAR)
    image = cv2.LUT(cv2.merge([levels] * 3), np.clip(curve, 0, 255).astype(np.uint8).reshape(256, 1, 3))
    return np.ascontiguousarray(np.rot90(image, int(rng.integers(4))))


def _colour(rng: Generator) -> tuple[int, int, int]:
    blue, green, red = (int(v) for v in rng.integers(0, 256, 3))
    return blue, green, red


def draw_traps(image: Image, rng: Generator, *, largest: float) -> None:
    """Draws look-alikes of dice onto the image, in place.

    Coins, dots, text, cards with printed pips, plain blocks, markers, round brand marks.
    """
    for _ in range(int(rng.integers(1, 7))):
        x, y = (int(v) for v in rng.integers(0, image.shape[0], 2))
        reach = float(rng.uniform(6, max(8.0, largest)))
        _TRAPS[int(rng.integers(len(_TRAPS)))](image, rng, (x, y), reach)


def _draw_coin(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """A coin or a token."""
    cv2.circle(image, at, int(reach / 2), _colour(rng), -1, cv2.LINE_AA)
    cv2.circle(image, at, int(reach / 2.6), _colour(rng), max(1, int(reach / 20)), cv2.LINE_AA)


def _draw_dots(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """Loose dots: pips without a die."""
    for _ in range(int(rng.integers(1, 8))):
        dx, dy = rng.normal(0, reach / 2, 2)
        spot = (int(at[0] + dx), int(at[1] + dy))
        cv2.circle(image, spot, max(1, int(reach / 10)), _colour(rng), -1, cv2.LINE_AA)


def _draw_text(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """Text, as on cards and numeral dice."""
    text = "".join(rng.choice(list("0123456789ABEKMRSTaehkorst"), int(rng.integers(1, 7))))
    scale, thick = reach / 30, max(1, int(reach / 18))
    cv2.putText(image, text, at, int(rng.integers(0, 8)), scale, _colour(rng), thick, cv2.LINE_AA)


def _draw_block(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """A block without pips, some with a number."""
    angle = float(rng.uniform(0, 90))
    corners = cv2.boxPoints((at, (reach, reach * float(rng.uniform(0.6, 1.6))), angle)).astype(np.int32)
    cv2.fillConvexPoly(image, corners, _colour(rng), cv2.LINE_AA)
    if rng.random() < 0.5:
        text = str(int(rng.integers(0, 21)))
        spot = (int(at[0] - reach / 4), int(at[1] + reach / 4))
        cv2.putText(image, text, spot, 0, reach / 50, _colour(rng), max(1, int(reach / 20)), cv2.LINE_AA)


def _draw_line(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """A line, a cable or an edge."""
    x, y = (int(v) for v in rng.integers(0, image.shape[0], 2))
    cv2.line(image, at, (x, y), _colour(rng), int(rng.integers(1, 9)), cv2.LINE_AA)


def _draw_marker(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """A printed marker like those of the mat: a dark square with light cells."""
    cells = np.zeros((6, 6), np.uint8)
    cells[1:5, 1:5] = rng.integers(0, 2, (4, 4)) * 255
    side = max(6, int(reach))
    marker = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
    part = image[at[1] : at[1] + side, at[0] : at[0] + side]
    part[:] = marker[: part.shape[0], : part.shape[1], None]


def _draw_card(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """A card with pips in a row, too flat and too regular for a die."""
    x, y = at
    tall = (int(reach), int(reach * 1.5))
    cv2.rectangle(image, at, (x + tall[0], y + tall[1]), _colour(rng), -1)
    ink, columns = _colour(rng), int(rng.integers(2, 5))
    for column in range(columns):
        for row in range(4):
            spot = (x + tall[0] * (column + 1) // (columns + 1), y + tall[1] * (row + 1) // 5)
            cv2.circle(image, spot, max(1, int(reach / 16)), ink, -1, cv2.LINE_AA)


def _draw_brand(image: Image, rng: Generator, at: tuple[int, int], reach: float) -> None:
    """A round brand mark as on boxes and caps: a ring of letters or dots with a bar. Some resemble a 6."""
    ink, radius = _colour(rng), max(3, int(reach / 2))
    cv2.circle(image, at, radius, _colour(rng), -1, cv2.LINE_AA)
    cv2.circle(image, at, int(radius * float(rng.uniform(0.55, 0.8))), _colour(rng), -1, cv2.LINE_AA)
    count, begin = int(rng.integers(5, 19)), float(rng.uniform(0, 2 * np.pi))
    letters = rng.choice(list("ABDEHKMNORST"), count)
    for letter, angle in zip(letters, begin + np.linspace(0, float(rng.uniform(4, 2 * np.pi)), count), strict=True):
        x, y = at[0] + 0.78 * radius * np.cos(angle), at[1] + 0.78 * radius * np.sin(angle)
        if reach < 30:
            cv2.circle(image, (int(x), int(y)), max(1, radius // 9), ink, -1, cv2.LINE_AA)
        else:
            size = radius / 90
            spot = (int(x - 9 * size), int(y + 9 * size))
            cv2.putText(image, str(letter), spot, 0, size, ink, max(1, radius // 30), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 4))):  # content of the centre
        dx, dy = rng.normal(0, 0.25 * radius, 2)
        side, turn = rng.uniform(0.15, 0.5, 2) * radius, float(rng.uniform(0, 180))
        block = cv2.boxPoints(((at[0] + float(dx), at[1] + float(dy)), (float(side[0]), float(side[1])), turn))
        cv2.fillConvexPoly(image, block.astype(np.int32), _colour(rng), cv2.LINE_AA)
    if rng.random() < 0.6:
        bar = cv2.boxPoints((at, (2.1 * radius, float(rng.uniform(0.2, 0.5)) * radius), float(rng.uniform(0, 180))))
        cv2.fillConvexPoly(image, bar.astype(np.int32), _colour(rng), cv2.LINE_AA)


_TRAPS = (_draw_coin, _draw_dots, _draw_text, _draw_block, _draw_line, _draw_marker, _draw_brand, _draw_card)
