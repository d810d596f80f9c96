"""Draws random synthetic dice: colours, finishes and pip styles that no training photo shows.

A die is a cube with rounded edges in perspective. Its outline is the convex hull of eight spheres at the corners, each
visible face is a plane one sphere radius further out, and its pips are discs in that plane. A crop of 80 pixels shows
no more detail than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from .cutouts import CONTEXT, PATCH, Cutouts
from .photos import Float, Image

POOL, SEED = 6000, 90  # synthetic dice per training run; recolouring multiplies them
STEEPEST = 68.0  # maximum degrees from the vertical: view of a laptop's camera
REFRACTION = 1.5  # refractive index of clear dice, which reduces the apparent depth
_DISC = np.column_stack([np.cos(np.linspace(0, 2 * np.pi, 20)), np.sin(np.linspace(0, 2 * np.pi, 20))])
_ALL = np.array([(x, y) for x in (-1, 1) for y in (-1, 1)])
# Positions of pips in multiples of the pitch; 2, 3 and 6 are rotated at random.
LAYOUTS = {
    1: np.zeros((1, 2)),
    2: np.array([(-1, -1), (1, 1)]),
    3: np.array([(-1, -1), (0, 0), (1, 1)]),
    4: _ALL,
    5: np.vstack([_ALL, (0, 0)]),
    6: np.array([(x, y) for x in (-1, 1) for y in (-1, 0, 1)]),
}
# Normal and the two in-plane axes of each face; opposite faces sum to seven.
SIDES = tuple(
    (np.array(n, float), np.array(u, float), np.array(v, float))
    for n, u, v in (
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
        ((0, 0, -1), (1, 0, 0), (0, 1, 0)),
    )
)


@dataclass(frozen=True, slots=True)
class Style:
    """The appearance of one die. Lengths in half edges, colours (3,) BGR.

    Attributes:
        rounding: Radius of the edges.
        pitch: Distance between pips.
        radius: Of a pip.
        single: Radius of the pip of a 1.
        body, pips: Colours.
        ones, fours: Colours of the pips of 1 and 4.
        hollow: Radius of the pips' inner disc, a share of theirs.
        marble: Contrast of the marbling, grey levels.
        gloss: Strength of the highlight.
        light: (3,) direction of the lamp, unit vector.
        ambient: Brightness of unlit faces.
        clear: Visibility of the rear pips through the body, 0..1.
    """

    rounding: float
    pitch: float
    radius: float
    single: float
    body: Float
    pips: Float
    ones: Float
    fours: Float
    hollow: float
    marble: float
    gloss: float
    light: Float
    ambient: float
    clear: float


def random_style(rng: Generator) -> Style:
    """A random commercial style: mostly white or black with plain pips, sometimes any other."""
    kind = rng.random()
    if kind < 0.3:
        body, pips = rng.uniform(190, 255, 3), rng.uniform(0, 70, 3)
    elif kind < 0.5:
        body, pips = rng.uniform(5, 80, 3), rng.uniform(180, 255, 3)
    elif kind < 0.85:  # a dye, with white, black or gold pips
        body = _dye(rng)
        pips = np.array([(250, 250, 250), (20, 20, 20), (80, 190, 220)][int(rng.integers(3))]) + rng.normal(0, 12, 3)
    else:
        body, pips = _dye(rng), _dye(rng)
    if np.abs(body.mean() - pips.mean()) < 25:  # illegible
        pips = pips + (70 if body.mean() < 128 else -70)
    if rng.random() < 0.15:  # worn or tone in tone
        pips = body + (pips - body) * rng.uniform(0.3, 0.6)
    ones = fours = pips
    if rng.random() < (0.4 if kind < 0.3 else 0.08):  # East Asian dice: red 1, sometimes red 4
        ones = np.array((40, 30, 200)) + rng.normal(0, 20, 3)
        fours = ones if rng.random() < 0.4 else pips
    azimuth = rng.uniform(0, 2 * np.pi)
    light = np.array([np.cos(azimuth), np.sin(azimuth), rng.uniform(0.6, 2.5)])
    radius = float(rng.uniform(0.13, 0.25))
    larger = 0.6 if ones is not pips else 0.2  # share of dice whose 1 has a larger pip
    return Style(
        rounding=float(rng.uniform(0.06, 0.5)),
        pitch=float(rng.uniform(0.42, 0.58)),
        radius=radius,
        single=radius * float(rng.uniform(1.3, 2.2) if rng.random() < larger else 1.0),
        body=body.astype(np.float32),
        pips=pips.astype(np.float32),
        ones=ones.astype(np.float32),
        fours=fours.astype(np.float32),
        hollow=float(rng.uniform(0, 0.5) if rng.random() < 0.5 else 0),
        marble=float(rng.uniform(10, 60) if rng.random() < 0.2 else rng.uniform(0, 6)),
        gloss=float(rng.uniform(0.2, 0.9) if rng.random() < 0.35 else 0),
        light=(light / np.linalg.norm(light)).astype(np.float32),
        ambient=float(rng.uniform(0.1, 0.5)),  # low values: the sides of a white die under one strong lamp
        clear=float(rng.uniform(0.1, 0.6) if kind >= 0.5 and rng.random() < 0.4 else 0),
    )


def _dye(rng: Generator) -> Float:
    hsv = np.array([[[rng.integers(0, 180), rng.integers(90, 256), rng.integers(60, 256)]]], np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


@dataclass(frozen=True, slots=True)
class Eye:
    """A pinhole camera.

    Attributes:
        turn: (3, 3) rotation; its rows are right, down and forwards.
        away: Distance, half edges.
    """

    turn: Float
    away: float

    def __call__(self, points: Float) -> Float:
        """Projects points (n, 3) to (n, 2) pixels from the image centre."""
        seen = points @ self.turn.T
        return seen[:, :2] * (self.away / (self.away + seen[:, 2:]))


def random_eye(rng: Generator) -> tuple[Eye, bool]:
    """A random camera, and whether it looks from straight above."""
    above = rng.random() < 0.35
    slant = np.deg2rad(abs(rng.normal(0, 6)) if above else rng.uniform(10, STEEPEST))
    yaw = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    # Camera axes in the table's frame (z up): right, down and forwards.
    axes = np.array(
        [[1, 0, 0], [0, -np.cos(slant), -np.sin(slant)], [0, np.sin(slant), -np.cos(slant)]],
    )
    return Eye(axes @ spin, float(rng.uniform(8, 40))), bool(above)


def draw_die(face: int, style: Style, eye: Eye, rng: Generator, marks: Sequence[Image] = ()) -> tuple[Image, Image]:
    """Draws a die with `face` on top.

    Args:
        face: 1..6.
        style: Its appearance.
        eye: The camera.
        rng: Random generator.
        marks: Six square images, 0..255, printed instead of one to six pips.

    Returns:
        Patch (160, 160, 3) BGR and mask (160, 160), 0..255. The die's longer side spans PATCH / CONTEXT pixels in the
        centre, as in a cutout.
    """
    inner, ball = 1 - style.rounding, style.rounding
    corners = eye(np.array([(x, y, z) for x in (-inner, inner) for y in (-inner, inner) for z in (-inner, inner)]))
    hull = cv2.convexHull((corners[:, None] + ball * _DISC).reshape(-1, 2).astype(np.float32))[:, 0]
    low, high = hull.min(axis=0), hull.max(axis=0)
    scale = PATCH / CONTEXT / float((high - low).max())
    middle = PATCH / 2 - (low + high) / 2 * scale

    def fill(image: Image, outline: Float, colour: Float) -> None:
        points = np.round((outline * scale + middle) * 16).astype(np.int32)
        cv2.fillConvexPoly(image, points, tuple(float(c) for c in np.clip(colour, 0, 255)), cv2.LINE_AA, 4)

    mask = np.zeros((PATCH, PATCH), np.uint8)
    fill(mask, hull, np.array([255.0]))
    image: Image = np.full((PATCH, PATCH, 3), style.body * 0.5, np.uint8)
    # A rounded edge reflects its surroundings, so its brightness varies independently of the faces.
    fill(image, hull, style.body * rng.uniform(0.6, 1.0))
    faces, below = [], []
    for value, (normal, along, across) in zip([face, *_around(rng, face), 7 - face], SIDES, strict=True):
        if eye.turn[2] @ normal < -1 / eye.away - 0.03:  # faces the camera
            lamp = (1.1 - style.ambient) * max(0.0, float(normal @ style.light))
            lit = style.ambient + lamp + 0.12 * float(normal[2])
            square = inner * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            fill(image, eye(normal + square[:, :1] * along + square[:, 1:] * across), style.body * lit)
            faces.append((value, lit, normal, along, across))
        else:
            below.append((value, normal, along, across))
    image = cv2.blur(image, (1 + int(0.8 * ball * scale),) * 2)  # shading changes gradually across a rounded edge
    for value, lit, normal, along, across in faces:
        if style.clear and not marks:
            beneath, window = image.copy(), np.zeros_like(mask)
            square = inner * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            fill(window, eye(normal + square[:, :1] * along + square[:, 1:] * across), np.array([255 * style.clear]))
            for other, away, one, two in below:
                for spot in LAYOUTS[other] * style.pitch:
                    disc = spot + _DISC * (style.single if other == 1 else style.radius)
                    pip = away + disc[:, :1] * one + disc[:, 1:] * two
                    depth = (1 - pip @ normal)[:, None]
                    fill(beneath, eye(pip + normal * depth * (1 - 1 / REFRACTION)), style.pips * (0.35 + 0.65 * lit))
            image = np.asarray(image + (window[..., None] / np.float32(255)) * (beneath.astype(np.float32) - image))
            image = image.clip(0, 255).astype(np.uint8)
        if marks:  # no pips: a numeral, a letter or nothing
            corners = eye(normal + 0.8 * inner * _ALL[:, :1] * along + 0.8 * inner * _ALL[:, 1:] * across)
            _print(image, marks[value - 1], corners * scale + middle, style.pips * (0.35 + 0.65 * lit))
            continue
        colour = {1: style.ones, 4: style.fours}.get(value, style.pips)
        radius = style.single if value == 1 else style.radius
        layout = LAYOUTS[value] * style.pitch
        layout = layout[:, ::-1] if rng.random() < 0.5 else layout
        for spot in layout * (1, rng.choice((-1, 1))):
            for part, shade in ((1.0, 1.0), (style.hollow, rng.uniform(0.6, 1.5))):
                if part:
                    disc = spot + _DISC * radius * part
                    pip = eye(normal + disc[:, :1] * along + disc[:, 1:] * across)
                    fill(image, pip, colour * (0.35 + 0.65 * lit) * shade)
    image = cv2.GaussianBlur(_finished(image, style, rng), (0, 0), float(rng.uniform(0.4, 1.2)))
    return image, mask


def _print(image: Image, mark: Image, corners: Float, colour: Float) -> None:
    """Prints a square image in one colour between four corners, in the order of `_ALL`."""
    side = mark.shape[0]
    flat = (0.5 + 0.5 * _ALL[:, ::-1].astype(np.float32)) * side
    way = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    ink = cv2.warpPerspective(mark, way, (PATCH, PATCH), flags=cv2.INTER_AREA)[..., None] / np.float32(255)
    image[:] = image + ink * (np.clip(colour, 0, 255) - image)


def _around(rng: Generator, face: int) -> list[int]:
    """The four side faces around a top face, in random orientation; opposite faces sum to seven."""
    first = int(rng.choice([value for value in range(1, 7) if value not in (face, 7 - face)]))
    second = int(rng.choice([value for value in range(1, 7) if value not in (face, 7 - face, first, 7 - first)]))
    return [first, 7 - first, second, 7 - second]


def _finished(image: Image, style: Style, rng: Generator) -> Image:
    """Adds marbling to the body, and gloss."""
    size = image.shape[0]
    if style.marble > 3:
        cells = int(rng.integers(5, 30))
        cloud = cv2.resize(rng.normal(0, style.marble, (cells, cells)).astype(np.float32), (size, size))
        tints = np.ones(3) if rng.random() < 0.5 else rng.uniform(-1, 1, 3)  # veins vary in brightness, or in colour
        image = cv2.add(image, cv2.merge([cloud * np.float32(tint) for tint in tints]), dtype=cv2.CV_8U)
    if style.gloss:
        spot = np.zeros((size // 4, size // 4), np.float32)
        at = rng.uniform(0.35, 0.65, 2) * size / 4
        axes = rng.uniform(0.02, 0.12, 2) * size / 4
        box = ((float(at[0]), float(at[1])), (float(axes[0] * 2), float(axes[1] * 2)), float(rng.uniform(0, 180)))
        cv2.ellipse(spot, box, style.gloss * 200, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(1, 4)))
        image = cv2.add(image, cv2.merge([cv2.resize(spot, (size, size))] * 3), dtype=cv2.CV_8U)
    return image


def load_drawn(cache: Path, count: int = POOL) -> Cutouts:
    """`count` synthetic dice as cutouts of the sets "drawn" and "drawn above"; computed once, then cached."""
    path = cache / f"drawn{count}_{SEED}.npz"
    if not path.exists():
        patches, masks = np.empty((count, PATCH, PATCH, 3), np.uint8), np.empty((count, PATCH, PATCH), np.uint8)
        above = np.empty(count, bool)
        for number in range(count):
            rng = np.random.default_rng([SEED, number])
            style, (eye, above[number]) = random_style(rng), random_eye(rng)
            patches[number], masks[number] = draw_die(number % 6 + 1, style, eye, rng)
        np.savez(path, patches=patches, masks=masks, above=above)
    kept = np.load(path)
    return Cutouts(
        kept["patches"],
        kept["masks"],
        np.ones(count, bool),
        np.arange(count) % 6 + 1,
        np.where(kept["above"], "drawn above", "drawn"),
    )
