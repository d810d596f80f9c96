"""The appearance and orientation of a die: faces, the 24 rotations of a cube, mesh and texture."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]  # float64, which the stubs of cv2 and numpy do not promise
Picture = npt.NDArray[Any]  # uint8, which the stubs of cv2 and numpy do not promise
Rgb = tuple[float, float, float]

CELL = 128  # texels of one face; the texture is three faces wide and two high
RIGHT_HANDED = {1: (0, 0, 1), 6: (0, 0, -1), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0)}
LEFT_HANDED = {**RIGHT_HANDED, 3: (0, -1, 0), 4: (0, 1, 0)}
# Positions of pips in thirds of the face; the second form of 2, 3 and 6 is the first rotated by 90 degrees.
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True, slots=True)
class DieLook:
    """One kind of die. Colours are RGB 0..1.

    Attributes:
        size: Edge in mm.
        roundness: 0 sharp .. 0.5 (edges), or share of the corners cut by a ball.
        pip_radius, pip_spread: Shares of the edge; `ace_radius` is that of the single pip.
        pattern: plain, marbled, clear or speckled.
        numerals: Figures instead of pips (not a pip die).
    """

    size: float = 16.0
    roundness: float = 0.16
    ball: bool = False
    body: Rgb = (0.93, 0.92, 0.88)
    second: Rgb = (0.93, 0.92, 0.88)
    pips: Rgb = (0.05, 0.05, 0.05)
    ace: Rgb = (0.05, 0.05, 0.05)
    four: Rgb = (0.05, 0.05, 0.05)
    pip_radius: float = 0.09
    ace_radius: float = 0.1
    pip_spread: float = 0.25
    pattern: str = "plain"
    depth: float = 0.5
    shine: float = 0.4
    left_handed: bool = False
    numerals: bool = False
    seed: int = 0


CLASSIC = DieLook()


def random_look(seed: int) -> DieLook:
    """The look with this number: most are white or ivory with dark pips, the others any colour that shops sell."""
    rng = np.random.default_rng([0xD1CE, seed])
    kind = rng.choice(
        ["white", "colour", "dark", "clear", "marbled", "speckled"], p=[0.34, 0.22, 0.12, 0.14, 0.13, 0.05]
    )
    hue = rng.uniform()
    second = None
    if kind == "white":
        warm = rng.uniform(0, 1) ** 2
        shade = rng.uniform(0.82, 1.0)
        body = (shade, shade * (1 - 0.05 * warm), shade * (1 - 0.32 * warm))
        pips = (0.04, 0.04, 0.05) if rng.uniform() < 0.72 else _colour(rng.uniform(), 0.9, rng.uniform(0.25, 0.7))
    elif kind == "dark":
        body = _colour(hue, rng.uniform(0, 0.8), rng.uniform(0.03, 0.2))
        pips = (0.95, 0.95, 0.93) if rng.uniform() < 0.7 else _colour(rng.choice([0.12, 0.02, 0.55, 0.33]), 0.6, 0.9)
    else:
        body = _colour(hue, rng.uniform(0.55, 1.0), rng.uniform(0.35, 0.95))
        light = 0.35 * body[0] + 0.5 * body[1] + 0.15 * body[2]
        pips = (0.96, 0.96, 0.94)
        if light > 0.62 or (light > 0.45 and rng.uniform() < 0.3):
            pips = (0.05, 0.05, 0.05)
        elif rng.uniform() < 0.15:
            pips = (0.9, 0.75, 0.3)
        if kind in ("marbled", "speckled"):
            second = _colour(rng.uniform(), rng.uniform(0, 1), rng.uniform(0.1, 1.0))
            if abs(sum(second) / 3 - sum(pips) / 3) < 0.3:  # dice with invisible pips are not sold
                red, green, blue = (0.6 * b + 0.4 * s for b, s in zip(body, second, strict=True))
                second = (red, green, blue)
    ace, four, ace_radius = pips, pips, rng.uniform(1.0, 1.25)
    if kind == "white" and rng.uniform() < 0.25:
        ace, ace_radius = (0.78, 0.06, 0.08), rng.uniform(1.1, 2.1)
        four = ace if rng.uniform() < 0.5 else pips
    radius = rng.uniform(0.068, 0.112)
    ball = bool(rng.uniform() < 0.25)
    return DieLook(
        size=float(rng.choice([10, 12, 14, 16, 16, 16, 18, 19, 20, 22])),
        roundness=float(rng.uniform(0.1, 0.75) if ball else rng.uniform(0.03, 0.34)),
        ball=ball,
        body=body,
        second=second or body,
        pips=pips,
        ace=ace,
        four=four,
        pip_radius=float(radius),
        ace_radius=float(radius * ace_radius),
        pip_spread=float(rng.uniform(0.21, 0.28)),
        pattern=str(kind if kind in ("clear", "marbled", "speckled") else "plain"),
        depth=float(rng.uniform(0, 1)),
        shine=float(rng.uniform(0.05, 0.9)),
        left_handed=bool(rng.uniform() < 0.4),
        seed=seed,
    )


def _colour(hue: float, saturation: float, value: float) -> Rgb:
    """RGB 0..1 of hue, saturation, value, each 0..1."""
    pixel = np.array([[[int(hue * 179.99), int(saturation * 255), int(value * 255)]]], np.uint8)
    r, g, b = cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0] / 255.0
    return float(r), float(g), float(b)


def cube_rotations() -> Array:
    """(24, 3, 3) the rotations that map a cube onto itself."""
    found = []
    for order in permutations(range(3)):
        for signs in product((1, -1), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = signs
            if np.linalg.det(matrix) > 0:
                found.append(matrix)
    return np.array(found)


ROTATIONS = cube_rotations()


def faces_of(look: DieLook) -> dict[int, tuple[int, int, int]]:
    """The outward axis of each value."""
    return LEFT_HANDED if look.left_handed else RIGHT_HANDED


def relabelled(rotation: Array, look: DieLook, value: int, rng: np.random.Generator) -> Array:
    """The (3, 3) rotation within the cube after which `value` is on top."""
    up = rotation.T @ np.array([0.0, 0.0, 1.0])
    axis = np.zeros(3)
    axis[np.abs(up).argmax()] = np.sign(up[np.abs(up).argmax()])
    wanted = [turn for turn in ROTATIONS if np.allclose(turn @ np.array(faces_of(look)[value], float), axis)]
    return wanted[rng.integers(len(wanted))]


def top_value(rotation: Array, look: DieLook) -> tuple[int, float]:
    """The value on top of a die and its tilt in degrees."""
    heights = {value: float((rotation @ np.array(axis, float))[2]) for value, axis in faces_of(look).items()}
    best = max(heights, key=heights.__getitem__)
    return best, float(np.degrees(np.arccos(min(1.0, heights[best]))))


def mesh(look: DieLook, steps: int = 5, flat: int = 3) -> tuple[Array, Array, Array, npt.NDArray[np.int64]]:
    """Vertices (n, 3) for an edge of 2, normals (n, 3), texture coordinates (n, 2), triangles (m, 3).

    steps: vertices across a rounded edge; flat: across what is flat between two of them.
    """
    if look.ball:
        along = np.linspace(-1, 1, 2 * steps + flat)
    else:
        bend = 1 - 2 * look.roundness
        edges = np.linspace(-1, -bend, steps), np.linspace(bend, 1, steps)
        along = np.unique(np.concatenate([edges[0], np.linspace(-bend, bend, flat), edges[1]]))
    u, v = np.meshgrid(along, along, indexing="ij")
    n = len(along)
    index = np.arange(n * n).reshape(n, n)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    quads = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    points: list[Array] = []
    normals: list[Array] = []
    coordinates: list[Array] = []
    triangles: list[npt.NDArray[np.int64]] = []
    for value, axis in faces_of(look).items():
        out = np.array(axis, float)
        side = np.roll(out, 1) * out.sum()  # any perpendicular axis works, because the pips are drawn to fit
        up = np.cross(out, side)
        laid = out + u[..., None] * side + v[..., None] * up
        point, normal = _rounded(laid.reshape(-1, 3), out, look)
        column, row = (value - 1) % 3, (value - 1) // 3
        triangles.append(quads + len(points) * n * n)
        points.append(point)
        normals.append(normal)
        inset = 0.5 / CELL
        across = np.stack([(u + 1) / 2, (v + 1) / 2], -1).reshape(-1, 2) * (1 - 2 * inset) + inset
        coordinates.append((across + np.array([column, row])) / [3, 2])
    return np.concatenate(points), np.concatenate(normals), np.concatenate(coordinates), np.concatenate(triangles)


def _rounded(flat: Array, out: Array, look: DieLook) -> tuple[Array, Array]:
    """Points on the face of a cube moved onto the rounded die, and their normals."""
    if look.ball:
        radius = 1.73 - look.roundness * 0.55
        length = np.linalg.norm(flat, axis=1, keepdims=True)
        cut = length > radius
        point = np.where(cut, flat * radius / length, flat)
        blend = np.clip(
            (length - radius * 0.97) / (radius * 0.06), 0, 1
        )  # a soft shoulder catches light as plastic does
        normal = (1 - blend) * out + blend * flat / length
    else:
        r = max(2 * look.roundness, 1e-3)
        inner = np.clip(flat, -(1 - r), 1 - r)
        normal = flat - inner
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        point = inner + r * normal
    return point, normal / np.linalg.norm(normal, axis=1, keepdims=True)


def texture(look: DieLook) -> Picture:
    """(2 * CELL, 3 * CELL, 3) uint8 RGB: the six faces, row by row."""
    rng = np.random.default_rng([0xFACE, look.seed])
    sheet = np.zeros((2 * CELL, 3 * CELL, 3), np.float32)
    sheet[:] = look.body
    if look.pattern in ("marbled", "clear"):
        cloud = _cloud(rng, sheet.shape[:2], 24 if look.pattern == "marbled" else 48)
        share = np.clip((cloud - 0.5) * (4.0 if look.pattern == "marbled" else 0.8) + 0.5, 0, 1)[..., None]
        other = look.second if look.pattern == "marbled" else tuple(0.45 * c for c in look.body)
        sheet = sheet * (1 - share) + np.array(other, np.float32) * share
    elif look.pattern == "speckled":
        specks = rng.uniform(size=sheet.shape[:2]) < 0.12
        specks = cv2.GaussianBlur(specks.astype(np.float32), (0, 0), 0.8) > 0.3
        sheet[specks] = look.second
    for value in range(1, 7):
        row, column = divmod(value - 1, 3)
        cell = sheet[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        if look.numerals:
            _figure(cell, value, look, rng)
        else:
            if look.pattern == "clear":  # the opposite face is visible through the body
                _draw_pips(cell, 7 - value, look, rng, strength=0.12, scale=0.8)
            _draw_pips(cell, value, look, rng)
    sheet += rng.normal(0, 0.008, sheet.shape)
    return (np.clip(sheet, 0, 1) * 255).astype(np.uint8)


def _cloud(rng: np.random.Generator, shape: tuple[int, int], cell: float) -> npt.NDArray[np.float32]:
    """Smooth noise 0..1 with patches of about `cell` texels."""
    noise: Array = cv2.GaussianBlur(rng.uniform(size=shape).astype(np.float32), (0, 0), cell / 2)
    noise += 0.4 * cv2.GaussianBlur(rng.uniform(size=shape).astype(np.float32), (0, 0), cell / 6) * 0.4
    low, high = np.quantile(noise, [0.02, 0.98])
    return np.clip((noise - low) / (high - low), 0, 1).astype(np.float32)


def _draw_pips(
    cell: npt.NDArray[np.float32],
    value: int,
    look: DieLook,
    rng: np.random.Generator,
    strength: float = 1,
    scale: float = 1,
) -> None:
    """Draws pips with a dark rim and a lighter floor, so that they look drilled."""
    colour = np.array(look.ace if value == 1 else look.four if value == 4 else look.pips, np.float32)
    radius = (look.ace_radius if value == 1 else look.pip_radius) * CELL * scale
    turn = rng.integers(2)
    glint = rng.uniform(0, 2 * np.pi)
    for px, py in PIPS[value]:
        if turn:
            px, py = -py, px
        cx, cy = CELL / 2 + px * look.pip_spread * CELL * scale, CELL / 2 + py * look.pip_spread * CELL * scale
        reach = int(1.3 * radius) + 2
        left, top = max(0, int(cx) - reach), max(0, int(cy) - reach)
        patch = cell[top : int(cy) + reach + 1, left : int(cx) + reach + 1]
        y, x = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]].astype(np.float32) + 0.5
        x, y = (x + left - cx) / radius, (y + top - cy) / radius
        distance = np.hypot(x, y)
        inside = np.clip((1 - distance) * radius + 0.5, 0, 1)[..., None] * strength
        rim = 1 - 0.45 * look.depth * np.clip(1 - np.abs(distance - 0.86) / 0.3, 0, 1)
        lit = 0.16 * look.depth * np.exp(-((x - 0.4 * np.cos(glint)) ** 2 + (y - 0.4 * np.sin(glint)) ** 2) / 0.12)
        patch[:] = patch * (1 - inside) + np.clip(colour * rim[..., None] + lit[..., None], 0, 1) * inside
        edge = np.clip(1 - np.abs(distance - 1.12) / 0.14, 0, 1)[..., None]
        patch[:] = np.clip(patch * (1 + 0.12 * look.depth * edge * strength), 0, 1)


def _figure(cell: npt.NDArray[np.float32], value: int, look: DieLook, rng: np.random.Generator) -> None:
    """A numeral instead of pips."""
    font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    size, _ = cv2.getTextSize(str(value), font, 2.6, 6)
    canvas = (np.clip(cell, 0, 1) * 255).astype(np.uint8)
    ink = tuple(int(255 * c) for c in look.pips)
    cv2.putText(canvas, str(value), ((CELL - size[0]) // 2, (CELL + size[1]) // 2), font, 2.6, ink, 6, cv2.LINE_AA)
    cell[:] = np.rot90(canvas, int(rng.integers(4))).astype(np.float32) / 255
