"""Draws surroundings of printed dice: one in the centre of a card, with its neighbours around it.

The surroundings reveal whether a die is printed better than the die itself: others of its size in a straight row, and
the card's text and edges.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from tests.kit.cards import DESIGNS, PrintedCard, game_card, print_die

from .backdrops import drawn_backdrop, real_backdrop
from .cutouts import PATCH, Cutouts
from .others import numeral_cube, slanted, spotted_card
from .photos import Image, Photo

PLACES, NUMERALS, SEED = 8000, 1500, 80
DECK = 100  # training cards per design; there are seven designs
NUMERAL = "drawn numeral"  # set name of dice with numerals
WIDE = 5.0  # width of a patch in dice
SHEET, SIDE = 520, 36.0  # pixels: side of the table before projection, and of the die in its centre


def load_printed_places(photos: Sequence[Photo], cache: Path, count: int = PLACES) -> Image:
    """(count, 160, 160, 3) surroundings of printed dice, five dice wide; computed once, then memory-mapped."""
    key = hashlib.sha256("\n".join(photo.name for photo in photos).encode()).hexdigest()[:8]
    path = cache / f"places{count}_{SEED}_{key}.npy"
    if not path.exists():
        places = np.lib.format.open_memmap(path.with_suffix(".part"), "w+", np.uint8, (count, PATCH, PATCH, 3))
        # Passed through fork, because a queue would copy all images.
        with get_context("fork").Pool(initializer=_shown.extend, initargs=(photos,)) as pool:
            for number, place in enumerate(pool.imap(_numbered_place, range(count), chunksize=100)):
                places[number] = place
        places.flush()
        path.with_suffix(".part").rename(path)
    return np.asarray(np.load(path, mmap_mode="r"))


_shown: list[Photo] = []  # images available to a worker process


def _numbered_place(number: int) -> Image:
    cv2.setNumThreads(1)
    return draw_place(_shown, np.random.default_rng([SEED, number]))


def load_numerals(cache: Path, count: int = NUMERALS) -> Cutouts:
    """Cut-out dice with numerals for training the class "none"; their faces are meaningless."""
    path = cache / f"numerals{count}_{SEED}.npz"
    if not path.exists():
        cubes = [numeral_cube(np.random.default_rng([SEED, 1, number])) for number in range(count)]
        np.savez(path, patches=np.array([patch for patch, _ in cubes]), masks=np.array([mask for _, mask in cubes]))
    with np.load(path) as kept:
        patches, masks = kept["patches"], kept["masks"]
    return Cutouts(patches, masks, np.ones(count, np.bool_), np.ones(count, np.int64), np.full(count, NUMERAL))


def draw_place(photos: Sequence[Photo], rng: Generator) -> Image:
    """(160, 160, 3): cards on a table, dice printed on the table itself, or a card with spots."""
    kind = rng.random()
    if kind < 0.12:
        return spotted_card(rng, WIDE)
    table = real_backdrop(photos, SHEET, rng) if rng.random() < 0.6 else drawn_backdrop(SHEET, rng)
    if kind < 0.25:
        _print_row(table, rng)
    else:
        _lay_cards(table, rng)
    return slanted(table, SIDE, rng, WIDE)


def _print_row(table: Image, rng: Generator) -> None:
    """Prints dice onto the surface, as on a box, a board or a rule sheet."""
    gap, style, number = SIDE * float(rng.uniform(1.05, 2)), int(rng.integers(1 << 30)), int(rng.integers(4))
    blue, green, red = (int(v) for v in rng.integers(0, 256, 3))
    for i in range(-number, number + 1):
        if i == 0 or rng.random() < 0.8:
            at = SHEET / 2 + i * gap, SHEET / 2
            print_die(table, at, SIDE, int(rng.integers(1, 7)), np.random.default_rng(style), (blue, green, red))


def _lay_cards(table: Image, rng: Generator) -> None:
    """Draws a card with one of its dice in the centre of the table, and other cards beside and below it."""
    card, turn = _card(rng), float(rng.uniform(0, 360))
    x, y, side = card.dice[int(rng.integers(len(card.dice)))]
    scale = SIDE / side
    for _ in range(int(rng.integers(0, 6))):
        away = rng.uniform(-1, 1, 2) * scale * max(card.face.shape[:2]) * 1.3
        other, askew = _card(rng), turn + float(rng.normal(0, 4) if rng.random() < 0.6 else rng.uniform(0, 360))
        _paste(table, other, (other.face.shape[1] / 2, other.face.shape[0] / 2), away, scale, askew, rng)
    _paste(table, card, (x, y), np.zeros(2), scale, turn, rng)


def _card(rng: Generator) -> PrintedCard:
    """A random card of the training deck, which excludes the designs reserved for development."""
    return _drawn_card(int(rng.integers(DECK)) * (DESIGNS // 8 // DECK) * 8 + int(rng.integers(7)))


@lru_cache(maxsize=7 * DECK)  # drawing a card dominates the cost
def _drawn_card(number: int) -> PrintedCard:
    return game_card(number)


def _paste(
    table: Image,
    card: PrintedCard,
    point: tuple[float, float],
    away: np.ndarray,
    scale: float,
    turn: float,
    rng: Generator,
) -> None:
    """Pastes a card so that `point` is `away` from the table's centre; a narrow shadow marks its edges."""
    way: Image = cv2.getRotationMatrix2D(point, turn, scale)
    way[:, 2] += SHEET / 2 + away - point
    height, width = card.face.shape[:2]
    face = cv2.GaussianBlur(card.face, (0, 0), max(0.3, 0.45 / scale)) if scale < 1 else card.face
    spread = cv2.warpAffine(np.full((height, width), 255, np.uint8), way, (SHEET, SHEET))
    spread = cv2.blur(np.roll(spread, rng.integers(-3, 4, 2), (0, 1)), (int(rng.integers(1, 9)),) * 2)
    light = 1 - spread * np.float32(rng.uniform(0, 0.6) / 255)
    table[:] = cv2.multiply(table, cv2.merge([light] * 3), dtype=cv2.CV_8U)
    cv2.warpAffine(face[..., ::-1], way, (SHEET, SHEET), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
