"""Random cameras and dice positions for path-traced scenes."""

from __future__ import annotations

import numpy as np

from tests.kit.camera import Camera
from tests.kit.dice import Array
from tests.kit.traced.skin import Skin

WIDTH, HEIGHT = 640, 480  # pixels of the images
BORDER = 40  # pixels: minimum distance of a die's centre from the image's border


def pick_camera(rng: np.random.Generator, die: float) -> Camera:
    """A camera between straight above and a laptop's view; a die's edge is 24 to 64 pixels long in the image centre."""
    fovy, above = float(rng.uniform(25, 55)), rng.uniform() < 0.3
    pixels = float(np.clip(np.exp(rng.normal(np.log(44), 0.3)), 24, 64))
    return Camera(
        width=WIDTH,
        height=HEIGHT,
        distance=float(HEIGHT / 2 / np.tan(np.radians(fovy) / 2) * die / pixels),
        slant=float(abs(rng.normal(0, 7)) if above else rng.uniform(15, 66)),
        azimuth=float(rng.uniform(0, 360)),
        roll=float(rng.normal(0, 5)),
        fovy=fovy,
    )


def place_dice(camera: Camera, skins: list[Skin], rng: np.random.Generator) -> list[tuple[Array, float] | None]:
    """Random places of dice on the table.

    Half of them touch or nearly touch an earlier die, as in a heap or a row.

    Returns:
        For each die its centre (3,) in mm and its rotation in radians, or None if no free place was found.
    """
    laid: list[tuple[Array, float, float]] = []
    found: list[tuple[Array, float] | None] = []
    for skin in skins:
        size, place = skin.look.size, None
        for _ in range(40):
            if laid and rng.uniform() < 0.5:
                beside, turn, other = laid[int(rng.integers(len(laid)))]
                turn += float(rng.choice([0, rng.normal(0, 0.15)]))
                way, slip = turn + np.pi / 2 * rng.integers(4), rng.normal(0, 0.25) * size
                gap = (size + other) / 2 * 1.01 + abs(rng.normal(0, 0.08)) * size
                at = beside + gap * np.array([np.cos(way), np.sin(way)]) + slip * np.array([-np.sin(way), np.cos(way)])
            else:
                at = np.array(camera.on_table(*rng.uniform(BORDER, (WIDTH - BORDER, HEIGHT - BORDER))))
                turn = float(rng.uniform(0, 2 * np.pi))
            if all(apart(at, turn, size, *one) for one in laid):
                place = at, turn
                laid.append((at, turn, size))
                break
        found.append((np.array([*place[0], size / 2]), place[1]) if place else None)
    return found


def apart(a: Array, turn: float, size: float, b: Array, other: float, other_size: float) -> bool:
    """Whether two squares, given by centre, rotation and edge, are disjoint (separating axis theorem)."""
    for angle in (turn, turn + np.pi / 2, other, other + np.pi / 2):
        along = np.array([np.cos(angle), np.sin(angle)])
        reach = sum(
            edge / 2 * (abs(np.cos(angle - own)) + abs(np.sin(angle - own)))
            for edge, own in ((size, turn), (other_size, other))
        )
        if abs((a - b) @ along) > reach:
            return True
    return False
