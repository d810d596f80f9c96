"""Path-traced dice: pips, drilled depth and places, as far as testable without Blender."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.kit.dice import faces_of, mesh
from tests.kit.traced.laying import apart, pick_camera, place_dice
from tests.kit.traced.light import exposed, room
from tests.kit.traced.skin import CELL, random_skin, sheets, solid


@pytest.mark.parametrize("seed", range(12))
def test_every_face_has_as_many_pips_as_its_value_says(seed: int) -> None:
    _, pips = sheets(random_skin(seed))
    for value in range(1, 7):
        row, column = divmod(value - 1, 3)
        cell = pips[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        assert cv2.connectedComponents((cell > 127).astype(np.uint8))[0] - 1 == value


@pytest.mark.parametrize(
    "seed", [s for s in range(40) if random_skin(s).drilled and random_skin(s).squareness == 2][:6]
)
def test_a_die_is_drilled_where_its_pips_are_painted(seed: int) -> None:
    skin = random_skin(seed)
    points, across, _ = solid(skin)
    whole, _, _, _ = mesh(skin.look, 22, 48)
    _, pips = sheets(skin)
    depth = np.linalg.norm(points - whole, axis=1)
    at = (across * [3 * CELL, 2 * CELL]).astype(int)
    painted = pips[at[:, 1].clip(0, 2 * CELL - 1), at[:, 0].clip(0, 3 * CELL - 1)]
    assert depth[painted == 255].min() > 0
    assert depth[painted == 0].max() < 0.4 * depth.max()  # a rim at most
    # Pressed in, not out: no place is farther from the middle than before.
    assert (np.linalg.norm(points, axis=1) <= np.linalg.norm(whole, axis=1) + 1e-9).all()
    assert len(faces_of(skin.look)) * (len(points) // 6) == len(points)


def test_placed_dice_do_not_overlap_and_are_in_the_picture() -> None:
    rng = np.random.default_rng(5)
    for _ in range(8):
        skins = [random_skin(int(n)) for n in rng.integers(0, 1000, 20)]
        camera = pick_camera(rng, skins[0].look.size)
        laid = [(skin, place) for skin, place in zip(skins, place_dice(camera, skins, rng), strict=True) if place]
        assert len(laid) > 5
        corners = np.array([(x, y) for x in (-1, 1) for y in (-1, 1)]) / 2
        for n, (skin, (at, turn)) in enumerate(laid):
            assert at[2] == skin.look.size / 2
            c, s = np.cos(turn), np.sin(turn)
            square = corners @ np.array([[c, s], [-s, c]]) * skin.look.size + at[:2]
            for other, (there, turned) in laid[:n]:
                c, s = np.cos(turned), np.sin(turned)
                within = np.abs((square - there[:2]) @ np.array([[c, -s], [s, c]])) < other.look.size / 2 - 1e-6
                assert not within.all(axis=1).any()


def test_squares_that_touch_at_a_corner_alone_are_apart() -> None:
    origin = np.zeros(2)
    assert apart(origin, 0.0, 2.0, np.array([2.45, 0.0]), np.pi / 4, 2.0)  # 1 + √2 away
    assert not apart(origin, 0.0, 2.0, np.array([2.40, 0.0]), np.pi / 4, 2.0)
    assert apart(origin, 0.0, 2.0, np.array([2.01, 0.0]), 0.0, 2.0)
    assert not apart(origin, 0.0, 2.0, np.array([1.99, 1.99]), 0.0, 2.0)


def test_a_picture_is_neither_black_nor_white_whatever_the_light() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        around = room(rng)
        assert (around >= 0).all()
        assert around.max() > 1
        radiance = rng.uniform(0.1, 1, (48, 64, 3)) * float(np.exp(rng.normal(0, 3)))
        assert 40 < np.median(exposed(radiance, rng)) < 250
