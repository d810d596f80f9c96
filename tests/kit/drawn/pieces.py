"""Draws game pieces other than dice for the verifier's training: dominoes, chips, coins, tokens, chess pieces, cards.

Each is a prism or a solid of revolution in perspective, drawn on a given background. The part that a finder would
detect as a die (half of a domino, a disc, a head, a printed die) spans a third of the patch.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from tests.kit.cards import any_design, game_card

from .dice import LAYOUTS, random_eye
from .photos import Float, Image
from .solids import ROUND, Prism, another_colour, any_colour, draw_prisms, draw_revolved, rounded

FINE = 2  # supersampling factor, against jagged edges
PER_UNIT = 48  # texels per unit (half the side of the box)
SEVEN_UP = {
    7: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1), (0, 0)],
    8: [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y],
    9: [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)],
    12: [(x, y / 1.5) for x in (-1, 0, 1) for y in (-1.5, -0.5, 0.5, 1.5)],
}
SIGNS = [*"2345689ABKQJ$%&?+x#", "10", "11", "12", "20", "25", "50", "100", "500"]


def draw_piece(back: Image, box: float, rng: Generator) -> Image:
    """The background (n, n, 3) BGR with a piece on it, of which `box` pixels in the centre resemble a die."""
    size = len(back)
    place = np.asarray(cv2.resize(back, (FINE * size,) * 2, interpolation=cv2.INTER_LINEAR), np.uint8)
    eye, _ = random_eye(rng)
    kind = rng.random()
    if kind < 0.24:
        draw_revolved(place, eye, FINE * box, rng)
    else:
        pieces = _dominoes(rng) if kind < 0.6 else _discs(rng) if kind < 0.88 else _tiles(rng)
        draw_prisms(place, pieces, eye, FINE * box, rng)
    place = np.asarray(cv2.GaussianBlur(place, (0, 0), float(rng.uniform(0.5, 1.8))), np.uint8)
    return np.asarray(cv2.resize(place, (size, size), interpolation=cv2.INTER_AREA))


def draw_printed(back: Image, box: float, rng: Generator) -> Image:
    """The background with a card on it, one of whose printed dice is in the centre, `box` pixels wide."""
    card = game_card(any_design(rng))
    while not card.dice:
        card = game_card(any_design(rng))
    x, y, side = card.dice[int(rng.integers(len(card.dice)))]
    high, wide = card.face.shape[:2]
    outline = np.array([(-x, -y), (wide - x, -y), (wide - x, high - y), (-x, high - y)]) * 2 / side
    place = np.asarray(cv2.resize(back, (FINE * len(back),) * 2, interpolation=cv2.INTER_LINEAR), np.uint8)
    face = np.ascontiguousarray(card.face[..., ::-1])
    piece = Prism(outline, np.zeros(2), float(rng.uniform(0, 2 * np.pi)), 0.04, face, np.full(3, 200.0))
    draw_prisms(place, [piece], random_eye(rng)[0], FINE * box, rng)
    place = np.asarray(cv2.GaussianBlur(place, (0, 0), float(rng.uniform(0.5, 1.8))), np.uint8)
    return np.asarray(cv2.resize(place, back.shape[1::-1], interpolation=cv2.INTER_AREA))


def _sheet(wide: float, high: float, colour: Float, rng: Generator) -> Image:
    """Texture of a piece's top, size in units: its colour, sometimes marbled or worn."""
    sheet = np.full((round(high * PER_UNIT), round(wide * PER_UNIT), 3), colour, np.float32)
    if rng.random() < 0.4:
        cells = int(rng.integers(3, 20))
        cloud = rng.normal(0, rng.uniform(2, 18), (cells, cells)).astype(np.float32)
        sheet += cv2.resize(cloud, sheet.shape[1::-1])[..., None]
    return np.asarray(sheet.clip(0, 255), np.uint8)


def _spot(sheet: Image, at: Float, radius: float, colour: Float, rng: Generator) -> None:
    """Draws a pip, flat or hollow. Position and radius are in units."""
    x, y = (np.asarray(at) * PER_UNIT).round().astype(int).tolist()
    reach = max(1, round(radius * PER_UNIT))
    cv2.circle(sheet, (x, y), reach, colour.tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.circle(sheet, (x, y), max(1, reach // 2), (colour * rng.uniform(0.6, 1.3)).tolist(), -1, cv2.LINE_AA)


def _dominoes(rng: Generator) -> list[Prism]:
    """A domino with one half in the centre, and others of the same set around it."""
    kind = rng.random()
    light = kind < 0.65
    body = rng.uniform(200, 253, 3) if light else rng.uniform(5, 60, 3) if kind < 0.85 else any_colour(rng)
    body = np.sort(body) if light and rng.random() < 0.5 else body  # ivory
    ink = rng.uniform(0, 60, 3) if light else rng.uniform(190, 255, 3)
    ink = ink if rng.random() < 0.6 else another_colour(body, rng)
    many = {value: another_colour(body, rng) for value in range(13)} if rng.random() < 0.35 else {}
    half, high = float(rng.uniform(0.95, 1.12)), float(rng.uniform(0.15, 0.9))
    corner = float(rng.choice([0.03, rng.uniform(0.05, 0.3)]))
    long, wide = 4 * half, 2.0
    outline = rounded(long, wide, corner) - (long / 2 - half, 0)
    pitch, radius = float(rng.uniform(0.42, 0.62)), float(rng.uniform(0.1, 0.2))
    line, pin = rng.random() < 0.88, rng.random() < 0.25
    pieces: list[Prism] = []
    side = body * rng.uniform(0.5, 0.9)
    if rng.random() < 0.15:  # two layers
        side = any_colour(rng)
    turn = float(rng.uniform(0, 2 * np.pi))
    places = [(0.0, 0.0, 0.0)]
    if rng.random() < 0.55:
        gap = float(rng.choice([0.02, rng.uniform(0, 0.4)]))
        around = [(long + gap, 0.0, 0.0), (-long - gap, 0.0, 0.0), (0.0, wide + gap, 0.0), (0.0, -wide - gap, 0.0)]
        around += [(half + long / 2 + gap + half, 0.0, np.pi / 2), (-half - gap - wide / 2, 0.0, np.pi / 2)]
        places += [around[i] for i in rng.permutation(len(around))[: int(rng.integers(1, 4))]]
    first = int(rng.integers(2))
    for x, y, quarter in places[:5]:
        top = _sheet(long, wide, body, rng)
        for end in (0, 1):
            value = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12], p=[0.07] + [0.13] * 6 + [0.0375] * 4))
            value = int(rng.integers(1, 7)) if not pieces and end == first and rng.random() < 0.9 else value
            if value:
                layout = np.array(LAYOUTS.get(value, SEVEN_UP.get(value)), float)
                layout = layout[:, ::-1] if rng.random() < 0.5 else layout
                small = radius * (0.8 if value > 6 else 1)
                for spot in layout * pitch * (1, rng.choice((-1, 1))):
                    _spot(top, spot + np.array([half + 2 * half * end, 1]), small, many.get(value, ink), rng)
        at = int(long / 2 * PER_UNIT)
        if line:
            inset = int(rng.uniform(0, 0.2) * wide * PER_UNIT)
            thick = max(1, int(rng.uniform(0.03, 0.12) * PER_UNIT))
            cv2.line(top, (at, inset), (at, top.shape[0] - inset), ink.tolist(), thick, cv2.LINE_AA)
        if pin:
            _spot(top, np.array([long / 2, 1.0]), float(rng.uniform(0.08, 0.16)), np.array([80.0, 170, 200]), rng)
        if first:
            top = np.ascontiguousarray(top[:, ::-1])
        c, s = np.cos(turn), np.sin(turn)
        pieces.append(Prism(outline, np.array([x * c - y * s, x * s + y * c]), turn + quarter, high, top, side))
    return pieces


def _discs(rng: Generator) -> list[Prism]:
    """A chip, coin, numbered token, draughtsman or button, with similar ones around and below it."""
    body = any_colour(rng) if rng.random() < 0.7 else rng.uniform(0.4, 1) * np.array([170.0, 210, 235])
    ink, style = another_colour(body, rng), int(rng.integers(5))
    height = float(rng.choice([rng.uniform(0.05, 0.25), rng.uniform(0.2, 0.9)]))
    pieces = []
    places = [np.zeros(2)]
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(1.9, 3.2)
        spot = away * np.array([np.cos(angle), np.sin(angle)])
        if min(float(np.linalg.norm(spot - other)) for other in places) > 1.8:
            places.append(spot)
    for place in places:
        top = _sheet(2, 2, body, rng)
        (_chip, _token, _coin, _rings, _holes)[style](top, body, ink, rng)
        higher = height * (1 if rng.random() < 0.7 else float(rng.uniform(1, 4)))
        side = body * rng.uniform(0.5, 0.9)
        pieces.append(Prism(ROUND, place, float(rng.uniform(0, 2 * np.pi)), higher, top, side))
        if rng.random() < 0.3:
            body = any_colour(rng)
            ink = another_colour(body, rng)
    return pieces


def _chip(top: Image, body: Float, ink: Float, rng: Generator) -> None:
    """A poker chip: stripes at the rim, a ring, and a symbol in the centre."""
    middle, reach = (PER_UNIT, PER_UNIT), PER_UNIT
    count, wide = int(rng.choice([4, 6, 8, 12])), float(rng.uniform(8, 28))
    for i in range(count):
        begin = 360 * i / count
        cv2.ellipse(top, middle, (reach, reach), 0, begin, begin + wide, ink.tolist(), -1, cv2.LINE_AA)
    inner = float(rng.uniform(0.5, 0.85))
    cv2.circle(top, middle, int(inner * reach), body.tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.7:
        cv2.circle(top, middle, int(inner * reach), ink.tolist(), max(1, int(rng.uniform(1, 4))), cv2.LINE_AA)
    if rng.random() < 0.6:
        light = any_colour(rng)
        cv2.circle(top, middle, int(inner * rng.uniform(0.6, 0.95) * reach), light.tolist(), -1, cv2.LINE_AA)
        ink = another_colour(light, rng)
    _sign(top, ink, float(rng.uniform(0.3, 0.9)), rng)


def _token(top: Image, body: Float, ink: Float, rng: Generator) -> None:
    """A cardboard disc with a number, dots below it, and a rim."""
    if rng.random() < 0.6:
        cv2.circle(top, (PER_UNIT, PER_UNIT), int(rng.uniform(0.8, 0.97) * PER_UNIT), ink.tolist(), 2, cv2.LINE_AA)
    _sign(top, ink, float(rng.uniform(0.6, 1.1)), rng)
    count = int(rng.integers(0, 6))
    for i in range(count):
        _spot(top, np.array([1 + 0.13 * (i - (count - 1) / 2), 1.62]), 0.05, ink, rng)


def _coin(top: Image, body: Float, ink: Float, rng: Generator) -> None:
    """Metal with relief: a rim, and a symbol or spots in almost the same colour."""
    tone = body * rng.uniform(0.6, 1.3)
    cv2.circle(top, (PER_UNIT, PER_UNIT), int(0.92 * PER_UNIT), tone.tolist(), 3, cv2.LINE_AA)
    _sign(top, tone, float(rng.uniform(0.6, 1.3)), rng)
    for _ in range(int(rng.integers(0, 9))):
        _spot(top, 1 + rng.uniform(-0.6, 0.6, 2), float(rng.uniform(0.03, 0.15)), tone, rng)


def _rings(top: Image, body: Float, ink: Float, rng: Generator) -> None:
    """Concentric rings, or one spot."""
    radii = np.sort(rng.uniform(0.08, 0.95, int(rng.integers(1, 6))))[::-1]
    tones = [ink if rng.random() < 0.6 else body * rng.uniform(0.5, 0.9), body * rng.uniform(0.85, 1.1)]
    for i, radius in enumerate(radii):
        cv2.circle(top, (PER_UNIT, PER_UNIT), int(radius * PER_UNIT), tones[i % 2].tolist(), -1, cv2.LINE_AA)


def _holes(top: Image, body: Float, ink: Float, rng: Generator) -> None:
    """A button or cap with holes in a pip layout, or the round home area of a board game with four fields."""
    if rng.random() < 0.6:
        rim = (body * rng.uniform(0.5, 0.9)).tolist()
        cv2.circle(top, (PER_UNIT, PER_UNIT), int(rng.uniform(0.6, 0.9) * PER_UNIT), rim, 2, cv2.LINE_AA)
    layout = LAYOUTS[int(rng.choice([1, 2, 3, 4, 4, 4, 5, 6]))]
    radius, pitch = float(rng.uniform(0.07, 0.22)), float(rng.uniform(0.2, 0.45))
    fields = rng.random() < 0.4
    for spot in layout * pitch:
        _spot(top, 1 + spot, radius, ink, rng)
        if fields:
            _spot(top, 1 + spot, 0.75 * radius, any_colour(rng), rng)


def _sign(top: Image, ink: Float, tall: float, rng: Generator) -> None:
    """Draws a number or letter in the centre; tall: its height, units."""
    text, font, thick = str(rng.choice(SIGNS)), int(rng.integers(8)), int(rng.integers(1, 6))
    (wide, high), _ = cv2.getTextSize(text, font, 1, 1)
    scale = min(tall * PER_UNIT / max(high, 1), 1.3 * PER_UNIT / max(wide, 1))
    at = round(PER_UNIT - wide * scale / 2), round(PER_UNIT + high * scale / 2)
    cv2.putText(top, text, at, font, scale, ink.tolist(), thick, cv2.LINE_AA)


def _tiles(rng: Generator) -> list[Prism]:
    """A square tile, key or board field with a symbol, rings or circles, and its neighbours."""
    body, pieces = any_colour(rng), []
    ink, gap = another_colour(body, rng), float(rng.choice([0.0, rng.uniform(0.02, 0.5)]))
    height, style = float(rng.choice([0.0, rng.uniform(0.05, 0.6)])), int(rng.integers(3))
    outline, turn = rounded(2, 2, float(rng.uniform(0.02, 0.3))), float(rng.uniform(0, 2 * np.pi))
    places = [(0, 0), *([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)] if rng.random() < 0.7 else [])]
    for x, y in places:
        top = _sheet(2, 2, body, rng)
        (_token, _rings, _fields)[style](top, body, ink, rng)
        c, s = np.cos(turn), np.sin(turn)
        at = (2 + gap) * np.array([x * c - y * s, x * s + y * c])
        pieces.append(Prism(outline, at, turn, height, top, body * rng.uniform(0.5, 0.9)))
    return pieces


def _fields(top: Image, body: Float, ink: Float, rng: Generator) -> None:
    """Circles with rims, like the fields of a board."""
    for spot in LAYOUTS[int(rng.choice([1, 2, 4, 4, 6]))] * float(rng.uniform(0.4, 0.6)):
        radius = float(rng.uniform(0.12, 0.35))
        _spot(top, 1 + spot, radius, ink, rng)
        _spot(top, 1 + spot, 0.8 * radius, any_colour(rng), rng)
