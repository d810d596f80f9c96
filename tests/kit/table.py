"""Procedural surfaces by number: wood, felt, cloth, stone, print and others."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tests.kit.dice import Picture

SIZE = 1024
Plane = npt.NDArray[Any]  # float32, which the stubs of cv2 and numpy do not promise
WORDS = ("dice", "court", "king", "queen", "game", "rule", "of", "the", "round", "total", "sold", "12", "48", "7", "A")


def noise(rng: np.random.Generator, sx: float, sy: float | None = None, size: int = SIZE) -> Plane:
    """(size, size) smooth noise 0..1 with patches of about sx by sy texels."""
    sy = sy or sx
    small = max(4, min(size, int(size / max(1.0, min(sx, sy) / 3))))
    field: Plane = rng.uniform(size=(small, small)).astype(np.float32)
    field = cv2.GaussianBlur(field, (0, 0), max(0.4, sx * small / size), sigmaY=max(0.4, sy * small / size))
    field = cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC)
    low, high = np.quantile(field[::8, ::8], [0.01, 0.99])
    return np.clip((field - low) / max(1e-6, high - low), 0, 1).astype(np.float32)


def _colour(
    rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float], hue: float | None = None
) -> Plane:
    pixel = np.array(
        [
            [
                [
                    180 * (rng.uniform() if hue is None else hue) % 180,
                    255 * rng.uniform(*saturation),
                    255 * rng.uniform(*value),
                ]
            ]
        ]
    )
    return cv2.cvtColor(pixel.astype(np.uint8), cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32) / 255


def _wood(rng: np.random.Generator) -> Plane:
    light = _colour(rng, (0.15, 0.65), (0.4, 0.95), rng.uniform(0.03, 0.11))
    dark = light * rng.uniform(0.45, 0.85)
    y = np.linspace(0, rng.uniform(4, 30), SIZE, dtype=np.float32)[:, None]
    rings = np.sin(2 * np.pi * (y + rng.uniform(0.5, 3) * noise(rng, 400, 60)))
    share = 0.35 + 0.25 * rings * rng.uniform(0.2, 1) + 0.4 * noise(rng, 120, 2)
    picture = light + (dark - light) * np.clip(share, 0, 1)[..., None]
    if rng.uniform() < 0.5:  # planks
        edge = int(rng.integers(120, 420))
        picture[::edge] *= 0.4
        picture[1::edge] *= 0.7
        for top in range(0, SIZE, edge):
            picture[top : top + edge] = np.roll(
                picture[top : top + edge], int(rng.integers(SIZE)), axis=1
            ) * rng.uniform(0.85, 1.1)
    return picture


def _felt(rng: np.random.Generator) -> Plane:
    hue = rng.choice([0.33, 0.36, 0.6, 0.0, 0.75, rng.uniform()])
    picture = np.ones((SIZE, SIZE, 3), np.float32) * _colour(rng, (0.3, 0.95), (0.1, 0.7), float(hue))
    fibre: Plane = rng.normal(0, rng.uniform(0.03, 0.13), (SIZE, SIZE)).astype(np.float32)
    fibre = cv2.GaussianBlur(fibre, (0, 0), 0.7) * 2 + 0.1 * (noise(rng, 60) - 0.5)
    return picture * (1 + fibre[..., None])


def _cloth(rng: np.random.Generator) -> Plane:
    base, thread = _colour(rng, (0, 0.8), (0.15, 0.95)), _colour(rng, (0, 0.8), (0.1, 0.95))
    step = rng.uniform(3, 9)
    x = np.arange(SIZE, dtype=np.float32)
    weave = 0.5 + 0.25 * (np.sin(2 * np.pi * x / step)[None] + np.sin(2 * np.pi * x / step)[:, None])
    picture = base * (0.82 + 0.18 * weave[..., None])
    if rng.uniform() < 0.6:
        period = int(rng.integers(40, 220))
        stripe = ((x // (period // 2)) % 2)[None] * rng.uniform(0.2, 0.8)
        both = stripe + stripe.T if rng.uniform() < 0.5 else stripe + 0 * stripe.T
        picture = picture + (thread - picture) * (0.5 * both)[..., None]
    return picture * (0.9 + 0.2 * noise(rng, 130)[..., None])


def _stone(rng: np.random.Generator) -> Plane:
    picture = np.ones((SIZE, SIZE, 3), np.float32) * _colour(rng, (0, 0.25), (0.15, 0.9))
    for _ in range(int(rng.integers(1, 4))):
        grains = noise(rng, rng.uniform(1.5, 6)) > rng.uniform(0.6, 0.9)
        picture[grains] = picture[grains] * 0.3 + 0.7 * _colour(rng, (0, 0.4), (0.05, 1))
    return picture * (0.9 + 0.2 * noise(rng, 200)[..., None])


def _plain(rng: np.random.Generator) -> Plane:
    dark = rng.uniform() < 0.4
    colour = _colour(rng, (0, 0.35 if dark else 0.2), (0.03, 0.3) if dark else (0.55, 1.0))
    if rng.uniform() < 0.25:
        colour = _colour(rng, (0.3, 1), (0.2, 0.9))
    grain = rng.normal(0, rng.uniform(0.0, 0.05), (SIZE, SIZE)).astype(np.float32)
    return colour * (1 + grain + rng.uniform(0, 0.15) * (noise(rng, 300) - 0.5))[..., None]


def _leather(rng: np.random.Generator) -> Plane:
    bumps = noise(rng, rng.uniform(3, 9))
    shade = cv2.Sobel(bumps, cv2.CV_32F, 1, 1, ksize=3) * rng.uniform(0.4, 1.2) + 0.25 * bumps
    return _colour(rng, (0, 0.7), (0.08, 0.5)) * (0.85 + np.clip(shade, -0.3, 0.8))[..., None]


def _print(rng: np.random.Generator) -> Plane:
    """Text, lines, and round marks that look like pips from afar."""
    paper = np.full((SIZE, SIZE, 3), 255 * _colour(rng, (0, 0.2), (0.75, 1)), np.uint8)
    ink = tuple(float(255 * c) for c in _colour(rng, (0, 1), (0.0, 0.45)))
    what = rng.choice(["text", "grid", "dots", "hexes"])
    if what == "text":
        size, y = rng.uniform(0.4, 1.2), 20
        while y < SIZE:
            line = " ".join(rng.choice(WORDS, 16))
            cv2.putText(
                paper, line, (int(rng.integers(-60, 30)), y), int(rng.integers(0, 5)), size, ink, 1, cv2.LINE_AA
            )
            y += int(40 * size)
    else:
        step = int(rng.integers(18, 90))
        for i in range(0, SIZE, step):
            if what == "grid":
                cv2.line(paper, (i, 0), (i, SIZE), ink, 1, cv2.LINE_AA)
                cv2.line(paper, (0, i), (SIZE, i), ink, 1, cv2.LINE_AA)
            for j in range(0, SIZE, step):
                if what == "dots" and rng.uniform() < 0.8:
                    cv2.circle(paper, (i + (j // step % 2) * step // 2, j), max(2, step // 7), ink, -1, cv2.LINE_AA)
                if what == "hexes":
                    around = np.array(
                        [[i + step * np.cos(a), j + step * np.sin(a)] for a in np.arange(6) * np.pi / 3], np.int32
                    )
                    cv2.polylines(paper, [around], True, ink, 2, cv2.LINE_AA)
    return paper.astype(np.float32) / 255 * (0.93 + 0.07 * noise(rng, 150)[..., None])


def _patchwork(rng: np.random.Generator) -> Plane:
    """A game board: overlapping coloured shapes."""
    board = np.ascontiguousarray(_plain(rng))
    for _ in range(int(rng.integers(8, 60))):
        colour = tuple(float(c) for c in _colour(rng, (0, 1), (0.1, 1)))
        x, y, r = (int(v) for v in rng.integers([0, 0, 8], [SIZE, SIZE, 160]))
        if rng.uniform() < 0.4:
            cv2.circle(board, (x, y), r // 2, colour, -1 if rng.uniform() < 0.7 else 3, cv2.LINE_AA)
        else:
            corners = cv2.boxPoints(((x, y), (2 * r, int(r * rng.uniform(0.2, 2))), float(rng.uniform(0, 180))))
            cv2.fillPoly(board, [corners.astype(np.int32)], colour, cv2.LINE_AA)
    return cv2.GaussianBlur(board.astype(np.float32), (0, 0), 0.6) * (0.9 + 0.2 * noise(rng, 90)[..., None])


def _carpet(rng: np.random.Generator) -> Plane:
    picture = np.zeros((SIZE, SIZE, 3), np.float32)
    for _ in range(3):
        picture += noise(rng, rng.uniform(2, 12))[..., None] * _colour(rng, (0.1, 0.9), (0.2, 0.9))
    return picture / rng.uniform(1.3, 3)


KINDS = (_wood, _wood, _felt, _felt, _cloth, _stone, _plain, _plain, _plain, _leather, _print, _patchwork, _carpet)


def surface(number: int) -> Picture:
    """The surface with this number, (SIZE, SIZE, 3) uint8 RGB."""
    rng = np.random.default_rng([0x7AB1E, number])
    picture = KINDS[number % len(KINDS)](rng)
    return (np.clip(picture, 0, 1) * 255).astype(np.uint8)
