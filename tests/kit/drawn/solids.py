"""Renders flat pieces and solids of revolution in perspective onto a background, with shadows and one lamp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator

from .dice import Eye
from .photos import Float, Image

ROUND: Float = np.column_stack([np.cos(np.linspace(0, 2 * np.pi, 36)), np.sin(np.linspace(0, 2 * np.pi, 36))])
_SIGNS = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])


@dataclass(frozen=True, slots=True)
class Prism:
    """A flat piece. Unit of length: half the side of the box.

    Attributes:
        outline: (n, 2) its corners, counterclockwise.
        at: (2,) its position on the table.
        turn: Rotation, radians.
        height: Its height.
        top: (h, w, 3) texture that spans the outline's bounds.
        side: (3,) colour of the sides, BGR.
    """

    outline: Float
    at: Float
    turn: float
    height: float
    top: Image
    side: Float

    def corners(self, z: float, points: Float | None = None) -> Float:
        """(n, 3) the outline on the table at height z, or other points of the piece's plane."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        flat = (self.outline if points is None else points) @ np.array([[c, s], [-s, c]]) + self.at
        return np.column_stack([flat, np.full(len(flat), z)])


class Projection(NamedTuple):
    """Projection of points into the patch.

    Attributes:
        eye: The camera.
        scale: Pixels per unit.
        middle: (2,) pixels of the camera's centre.
    """

    eye: Eye
    scale: float
    middle: Float

    def __call__(self, points: Float) -> Float:
        return np.asarray(self.eye(points) * self.scale + self.middle)


def any_colour(rng: Generator) -> Float:
    """A random BGR colour, grey or saturated."""
    if rng.random() < 0.4:
        return np.full(3, rng.choice([rng.uniform(5, 60), rng.uniform(180, 250)])) + rng.normal(0, 8, 3)
    hsv = np.array([[[rng.integers(0, 180), rng.integers(40, 256), rng.integers(40, 256)]]], np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float64)


def another_colour(colour: Float, rng: Generator) -> Float:
    """A random BGR colour with enough contrast to the given one."""
    for _ in range(8):
        found = any_colour(rng)
        if np.abs(found - colour).max() > 60:
            return found
    return 255 - colour


def rounded(wide: float, high: float, corner: float) -> Float:
    """(n, 2) corners of a centred rectangle with rounded corners."""
    inner = np.array([wide / 2 - corner, high / 2 - corner])
    quarters = [ROUND[9 * i : 9 * i + 9] * corner + inner * sign for i, sign in enumerate(_SIGNS)]
    return np.concatenate(quarters)


def draw_prisms(place: Image, pieces: list[Prism], eye: Eye, box: float, rng: Generator) -> None:
    """Draws flat pieces, farthest first; the 2×2 square in the centre of the first one spans `box` pixels."""
    first = pieces[0]
    square = rounded(2, 2, 0.1) if len(first.outline) < len(ROUND) or first.outline.max() > 1.2 else first.outline
    solid = np.concatenate([first.corners(z, square) for z in (0.0, first.height)])
    seen = eye(solid)
    low, high = seen.min(axis=0), seen.max(axis=0)
    scale = box / float((high - low).max())
    shown = Projection(eye, scale, np.array(place.shape[1::-1]) / 2 - (low + high) / 2 * scale)
    light = rng.uniform(0, 2 * np.pi)
    lamp = np.array([np.cos(light), np.sin(light)])
    _shadow(place, np.concatenate([p.corners(0.0) for p in pieces]), [len(p.outline) for p in pieces], shown, rng)
    depth = [float(eye.turn[2] @ np.append(p.at, 0.0)) for p in pieces]
    for i in np.argsort(depth)[::-1]:
        _prism(place, pieces[i], shown, lamp, float(rng.uniform(0.9, 1.05)))


def _shadow(place: Image, corners: Float, counts: list[int], shown: Projection, rng: Generator) -> None:
    shade = np.zeros(place.shape[:2], np.uint8)
    at, off = 0, rng.normal(0, 0.25, 2)
    for count in counts:
        points = corners[at : at + count] + np.append(off, 0.0)
        cv2.fillConvexPoly(shade, shown(points).round().astype(np.int32), 255)
        at += count
    soft = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(2, 12)))
    place[:] = place * (1 - float(rng.uniform(0, 0.7)) / 255 * soft[..., None])


def _prism(place: Image, piece: Prism, shown: Projection, lamp: Float, bright: float) -> None:
    """Draws one flat piece: its sides, then its top."""
    base, top = shown(piece.corners(0.0)), shown(piece.corners(piece.height))
    if piece.height:
        count = len(base)
        along = np.roll(piece.corners(0.0)[:, :2], -1, 0) - piece.corners(0.0)[:, :2]
        normal = np.column_stack([along[:, 1], -along[:, 0]]) / np.maximum(np.linalg.norm(along, axis=1), 1e-6)[:, None]
        for i in range(count):
            quad = np.array([base[i], base[(i + 1) % count], top[(i + 1) % count], top[i]])
            lit = 0.75 + 0.35 * float(normal[i] @ lamp)
            cv2.fillConvexPoly(place, quad.round().astype(np.int32), np.clip(piece.side * lit, 0, 255).tolist())
    low, high = piece.outline.min(axis=0), piece.outline.max(axis=0)
    bounds = np.array([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])])
    tall, wide = piece.top.shape[:2]
    flat = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float32)
    way = cv2.getPerspectiveTransform(flat, shown(piece.corners(piece.height, bounds)).astype(np.float32))
    size = place.shape[1::-1]
    shrink = shown.scale / (wide / float(high[0] - low[0]))
    soft = cv2.GaussianBlur(piece.top, (0, 0), 0.45 / shrink) if shrink < 0.8 else piece.top
    seen = cv2.warpPerspective(soft, way, size, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(place.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, top.round().astype(np.int32), 255)
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.7)[..., None] / np.float32(255)
    place[:] = (place * (1 - alpha) + seen.astype(np.float32) * bright * alpha).clip(0, 255)


def draw_revolved(place: Image, eye: Eye, box: float, rng: Generator) -> None:
    """Draws a pawn, chess piece, peg, bead or cap: rings of light and shade around a vertical axis."""
    body, tall = any_colour(rng), float(rng.choice([rng.uniform(0.4, 1.5), rng.uniform(1.5, 4)]))
    steps = 36
    up = np.linspace(0, 1, steps)
    waist, power = float(rng.uniform(0.2, 0.7)), float(rng.uniform(0.5, 2.5))
    radius = waist + (1 - waist) * (1 - up) ** power
    for _ in range(int(rng.integers(0, 4))):  # collars
        radius = np.maximum(radius, float(rng.uniform(0.3, 0.9)) * (np.abs(up - rng.uniform(0.1, 0.95)) < 0.04))
    head = float(rng.choice([0, rng.uniform(0.3, 0.8)]))
    z = up * tall
    if head:  # a ball, or a widening crown
        arc = np.linspace(-1.2, np.pi / 2, 14)
        crown = rng.random() < 0.3
        more = head * (0.6 + 0.4 * np.linspace(0, 1, 14)) if crown else head * np.cos(arc)
        z, radius = np.append(z, tall + head * (1 + np.sin(arc))), np.append(radius, more)
    around = head > 0.4 and rng.random() < 0.4  # only the head resembles a die
    rows = slice(len(z) - 14, None) if around else slice(None)
    rings = np.concatenate(
        [np.column_stack([ROUND * r, np.full(36, h)]) for r, h in zip(radius[rows], z[rows], strict=True)]
    )
    seen = eye(rings)
    low, high = seen.min(axis=0), seen.max(axis=0)
    scale = box / float((high - low).max())
    shown = Projection(eye, scale, np.array(place.shape[1::-1]) / 2 - (low + high) / 2 * scale)
    base = np.column_stack([ROUND * radius[0], np.zeros(36)])
    _shadow(place, base, [36], shown, rng)
    light, ambient = rng.uniform(0, 2 * np.pi), float(rng.uniform(0.3, 0.7))
    lamp = np.array([np.cos(light), np.sin(light), rng.uniform(0.5, 2)])
    lamp /= np.linalg.norm(lamp)
    slope = np.gradient(radius, np.maximum.accumulate(z + np.arange(len(z)) * 1e-6))
    for r, h, s in zip(radius, z, slope, strict=True):
        normal = np.column_stack([ROUND, np.full(36, -s)])
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        lit = ambient + (1.1 - ambient) * np.maximum(normal @ lamp, 0)
        ring = shown(np.column_stack([ROUND * r, np.full(36, h)]))
        middle = shown(np.array([[0, 0, h]]))[0]
        for i in range(0, 35, 3):
            wedge = np.array([middle, *ring[i : i + 4]]).round().astype(np.int32)
            cv2.fillConvexPoly(place, wedge, np.clip(body * lit[i], 0, 255).tolist())
    top = np.column_stack([ROUND * radius[-1], np.full(36, z[-1])])
    flat = np.clip(body * (ambient + (1.1 - ambient) * lamp[2]), 0, 255)
    cv2.fillConvexPoly(place, shown(top).round().astype(np.int32), flat.tolist(), cv2.LINE_AA)
    mark = rng.random()
    if mark < 0.5:  # a hole, a slit, a spot
        small = float(rng.uniform(0.15, 0.6)) * max(float(radius[-1]), 0.15)
        disc = ROUND * small * ((1, 0.25) if mark < 0.12 else (1, 1))
        spot = shown(np.column_stack([disc, np.full(36, z[-1])]))
        dark = another_colour(body, rng) if mark < 0.25 else body * 0.3
        cv2.fillConvexPoly(place, spot.round().astype(np.int32), dark.tolist(), cv2.LINE_AA)
    if rng.random() < 0.5:  # reflection of a lamp
        x, y = shown(np.array([[0, 0, z[-1]]]))[0] + rng.normal(0, 0.15 * box, 2)
        reach = max(1, int(box * rng.uniform(0.02, 0.06)))
        cv2.circle(place, (int(x), int(y)), reach, (250, 250, 250), -1, cv2.LINE_AA)
