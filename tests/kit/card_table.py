"""Simulated photos of a table with cards from above, with known positions.

Cards are pasted by homographies (the camera looks down at an angle), with overlap, sleeves, glare, shadows, a hand over
part of them, blur, noise and JPEG. Faces can be drawn ones or photographs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tests.kit.degrade import packed
from tests.kit.dice import Picture
from tests.kit.table import surface

Points = npt.NDArray[Any]  # float64, which the stubs of cv2 and numpy do not promise


@dataclass(frozen=True, slots=True)
class LaidCard:
    """One card to place: centre and width in pixels, clockwise rotation in degrees. `taught`: its kind is to be
    read."""

    kind: str
    face: Picture
    middle: tuple[float, float]
    width: float
    degrees: float = 0.0
    taught: bool = True
    sleeved: bool = False


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card's place in the image: its corners (4, 2) clockwise from its own top left, and its visible share."""

    kind: str
    quad: Points
    degrees: float
    taught: bool
    visible: float


@dataclass(slots=True)
class Conditions:
    """The camera.

    Attributes:
        blur: Sigma in pixels.
        noise: Sigma of 255.
        quality: Of JPEG.
        slant: 0 = from straight above.
    """

    blur: float = 0.6
    noise: float = 2.0
    quality: int = 85
    slant: float = 0.0
    glare: float = 0.0
    warmth: float = 0.0
    exposure: float = 1.0
    hands: list[tuple[tuple[float, float], tuple[float, float], float]] = field(default_factory=list)


def corners_of(card: LaidCard, across: float = 1.0) -> Points:
    """Corners of a flat card, clockwise from its own top left. `across`: scale for a sleeve, which is larger than
    its card."""
    h, w = card.face.shape[:2]
    half_w, half_h = across * card.width / 2, across * card.width * h / w / 2
    corners = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]])
    turn = np.radians(card.degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return corners @ rotation.T + card.middle


def _hand(size: tuple[int, int], wrist: tuple[float, float], tip: tuple[float, float], width: float) -> Picture:
    """The mask (H, W) of a hand with four fingers from `wrist` to `tip`."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    a, b = np.array(wrist, float), np.array(tip, float)
    way = (b - a) / max(1e-6, float(np.hypot(*(b - a))))
    across = np.array([-way[1], way[0]])
    palm = b - way * width * 0.9
    cv2.line(mask, tuple(int(v) for v in a), tuple(int(v) for v in palm), 255, int(width * 0.7))
    cv2.ellipse(mask, tuple(int(v) for v in palm), (int(width * 0.55), int(width * 0.5)), 0, 0, 360, 255, -1)
    for i, reach in enumerate((0.75, 1.0, 0.95, 0.7)):
        root = palm + across * width * (i - 1.5) * 0.27
        end = root + way * width * 0.9 * reach
        cv2.line(mask, tuple(int(v) for v in root), tuple(int(v) for v in end), 255, max(2, int(width * 0.22)))
    return mask


def photograph_cards(
    cards: Sequence[LaidCard],
    seed: int,
    size: tuple[int, int] = (1280, 720),
    conditions: Conditions | None = None,
    ground: int = 0,
) -> tuple[Picture, list[PlacedCard]]:
    """The image (H, W, 3) BGR of cards in this order, later ones on top, and their positions."""
    how = conditions or Conditions()
    rng = np.random.default_rng([0xCA6D, seed])
    w, h = size
    table = surface(ground)[..., ::-1]
    picture: Points = np.asarray(cv2.resize(table, (max(w, h), max(w, h)))[:h, :w], np.float32)
    camera: Points = np.eye(3)
    if how.slant:
        away = how.slant * w / 8
        there = np.array([[away, 0], [w - away, 0], [w, h], [0, h]], np.float32)
        camera = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), there)
    whose = np.full((h, w), -1, np.int32)
    quads: list[Points] = []
    for number, card in enumerate(cards):
        quads.append(cv2.perspectiveTransform(corners_of(card)[None], camera)[0])
        if card.sleeved:
            rim = cv2.perspectiveTransform(corners_of(card, 1.07)[None], camera)[0]
            cv2.fillPoly(picture, [np.round(rim * 16).astype(np.int32)], (205, 205, 210), cv2.LINE_AA, 4)
        shade = np.zeros((h, w), np.float32)
        cv2.fillPoly(shade, [np.round((quads[-1] + card.width / 40) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
        box = _box(quads[-1], size, 8)
        picture[box] *= 1 - 0.3 * cv2.GaussianBlur(shade[box], (0, 0), 1 + card.width / 60)[..., None]
        paste_card(picture, whose, number, card, quads[-1])
    if how.glare:
        for quad in quads:
            if rng.uniform() < how.glare:
                x, y = quad.mean(axis=0) + rng.normal(0, 8, 2)
                reach = float(np.hypot(*(quad[1] - quad[0]))) * rng.uniform(0.25, 0.5)
                rows, columns = np.mgrid[0:h, 0:w]
                spot = np.exp(-(((columns - x) / reach) ** 2 + ((rows - y) / (0.6 * reach)) ** 2))
                picture += (230 * spot)[..., None].astype(np.float32)
    for wrist, tip, width in how.hands:
        mask = _hand(size, wrist, tip, width)
        soft = cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None].astype(np.float32) / 255
        skin = np.array([110, 140, 205], np.float32) * rng.uniform(0.4, 1.1)
        folds = cv2.resize(
            rng.normal(1, 0.05, (h // 16, w // 16)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
        )
        picture += (skin * folds[..., None] - picture) * soft
        whose[mask > 0] = -2
    placed = [_placed(card, quad, whose, number) for number, (card, quad) in enumerate(zip(cards, quads, strict=True))]
    picture *= how.exposure * np.array([1 - how.warmth, 1, 1 + how.warmth], np.float32)
    picture = cv2.GaussianBlur(picture, (0, 0), how.blur) if how.blur else picture
    picture = np.clip(picture + rng.normal(0, how.noise, picture.shape), 0, 255).astype(np.uint8)
    return packed(picture, how.quality), placed


def _box(quad: Points, size: tuple[int, int], margin: int) -> tuple[slice, slice]:
    left, top = np.maximum(0, np.floor(quad.min(axis=0)).astype(int) - margin)
    right, low = np.minimum(size, np.ceil(quad.max(axis=0)).astype(int) + margin)
    return slice(top, max(top, low)), slice(left, max(left, right))


def paste_card(
    picture: npt.NDArray[np.float32], whose: npt.NDArray[np.int32], number: int, card: LaidCard, quad: Points
) -> None:
    """Draws a face at its corners, shrunk first to avoid aliasing."""
    h, w = card.face.shape[:2]
    scale = float(np.hypot(*(quad[1] - quad[0]))) / w
    face = card.face
    if scale < 0.7:
        face = cv2.resize(face, (max(8, round(w * scale)), max(8, round(h * scale))), interpolation=cv2.INTER_AREA)
    fh, fw = face.shape[:2]
    box = _box(quad, (picture.shape[1], picture.shape[0]), 2)
    rows, columns = box[0].stop - box[0].start, box[1].stop - box[1].start
    if rows < 1 or columns < 1:
        return
    here = (quad - (box[1].start, box[0].start)).astype(np.float32)
    corners = np.array([[-0.5, -0.5], [fw - 0.5, -0.5], [fw - 0.5, fh - 0.5], [-0.5, fh - 0.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, here - 0.5)
    drawn = cv2.warpPerspective(face, matrix, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((rows, columns), np.float32)
    cv2.fillPoly(mask, [np.round((here - 0.5) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    picture[box] += (drawn.astype(np.float32) - picture[box]) * mask[..., None]
    whose[box][mask > 0.5] = number


def _placed(card: LaidCard, quad: Points, whose: npt.NDArray[np.int32], number: int) -> PlacedCard:
    whole = cv2.contourArea(quad.astype(np.float32))
    return PlacedCard(card.kind, quad, card.degrees, card.taught, float((whose == number).sum() / max(1.0, whole)))


def spread(
    faces: Sequence[tuple[str, Picture, bool]],
    seed: int,
    width: float = 60.0,
    size: tuple[int, int] = (1280, 720),
    *,
    overlap: float = 0.5,
    straight: float = 0.6,
) -> list[LaidCard]:
    """Cards in rows and overlapping tableaux, some turned, all of one width.

    Args:
        faces: Kind, face, whether it is taught.
        overlap: Share of tableaux in which each card covers part of the one before.
        straight: Share of rows parallel to the image.
    """
    rng = np.random.default_rng([0x5B6D, seed])
    tall = width * max(face.shape[0] / face.shape[1] for _, face, _ in faces)
    cards: list[LaidCard] = []
    row_top, order = 0.62 * tall, list(rng.permutation(len(faces)))
    sleeved = bool(rng.uniform() < 0.3)
    while order and row_top < size[1] - 0.5 * tall:
        laps = rng.uniform() < overlap
        step = width * (rng.uniform(0.35, 0.8) if laps else rng.uniform(1.02, 1.6))
        base = 0.0 if rng.uniform() < straight else float(rng.normal(0, 4))
        x = 0.6 * tall + float(rng.uniform(0, 0.15 * size[0]))
        many = int(rng.integers(3, 9))
        for _ in range(many):
            if not order or x > size[0] - 0.6 * tall:
                break
            kind, picture, taught = faces[order.pop()]
            used = rng.uniform() < 0.15
            degrees = base + float(rng.normal(0, 2)) + (90.0 if used else 0.0) + (180.0 if rng.uniform() < 0.1 else 0.0)
            across = float(rng.normal(0, 0.03 * tall))
            cards.append(
                LaidCard(
                    kind, picture, (x + (tall - width) / 2 * used, row_top + across), width, degrees, taught, sleeved
                )
            )
            x += step + ((tall - width) if used and not laps else 0.0)
        if x < 0.6 * size[0] and rng.uniform() < 0.5:
            continue_at = x + tall
            if continue_at < size[0] - tall and order:
                kind, picture, taught = faces[order.pop()]
                free = LaidCard(
                    kind, picture, (continue_at, row_top), width, float(rng.uniform(0, 360)), taught, sleeved
                )
                cards.append(free)
        row_top += tall * float(rng.uniform(1.15, 1.5))
    return cards
