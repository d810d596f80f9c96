"""Drawn dice for training: a second method counts the upper pips, because a wrong label teaches a wrong reading."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.kit.cards import cards_around, print_die
from tests.kit.drawn.dice import STEEPEST, draw_die, random_eye, random_style
from tests.kit.drawn.others import draw_other

pytestmark = pytest.mark.slow


def plain(rng: np.random.Generator):
    """A plain white die with black pips."""
    return replace(
        random_style(rng),
        rounding=0.2,
        radius=0.16,
        single=0.16,
        body=np.full(3, 240, np.float32),
        pips=np.full(3, 5, np.float32),
        ones=np.full(3, 5, np.float32),
        fours=np.full(3, 5, np.float32),
        hollow=0.0,
        marble=0.0,
        gloss=0.0,
        light=np.array((0, 0, 1), np.float32),
        ambient=0.4,
        clear=0.0,
    )


@pytest.mark.parametrize("face", range(1, 7))
def test_a_drawn_die_shows_as_many_pips_on_top_as_its_label_says(face: int) -> None:
    rng = np.random.default_rng(face)
    steep = [eye for eye, _ in (random_eye(rng) for _ in range(100)) if eye.turn[2, 2] < -np.cos(np.deg2rad(4))]
    for eye in steep[:6]:
        patch, mask = draw_die(face, plain(rng), eye, rng)
        grey = np.where(mask > 200, cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), 255).astype(np.uint8)
        # From so steep above, pips on the sides are slivers: a pip on top is as wide as it is high.
        _, _, stats, _ = cv2.connectedComponentsWithStats((grey < 90).astype(np.uint8))
        round_ones = [s for s in stats[1:] if s[4] > 25 and min(s[2], s[3]) > 0.7 * max(s[2], s[3])]
        assert len(round_ones) == face


def test_through_a_clear_die_the_pips_below_are_seen_fainter_than_those_on_top() -> None:
    """Bug: casino dice whose lower pips shine through were read as five instead of one."""
    rng = np.random.default_rng(3)
    eye = next(eye for eye, _ in (random_eye(rng) for _ in range(500)) if eye.turn[2, 2] < -np.cos(np.deg2rad(2)))
    pieces = []
    for clear in (0.0, 0.5):
        die, mask = draw_die(1, replace(plain(rng), clear=clear), eye, np.random.default_rng(6))
        grey = np.where(mask > 200, cv2.cvtColor(die, cv2.COLOR_BGR2GRAY), 255)[50:110, 50:110].astype(np.uint8)
        pieces.append([cv2.connectedComponents((grey < level).astype(np.uint8))[0] - 1 for level in (70, 170)])
    (black, dark), (still_black, now_dark) = pieces
    assert black == still_black == 1
    assert now_dark - dark == 6


def test_a_drawn_die_fills_the_patch_as_a_cut_out_does_from_every_side() -> None:
    rng = np.random.default_rng(1)
    for face in (1, 6) * 10:
        _, mask = draw_die(face, random_style(rng), random_eye(rng)[0], rng)
        x, y, width, height = cv2.boundingRect((mask > 100).astype(np.uint8))
        assert max(width, height) == pytest.approx(160 / 2.2, abs=3)
        assert (x + width / 2, y + height / 2) == pytest.approx((80, 80), abs=3)


def test_no_drawn_die_is_seen_so_obliquely_that_a_side_looks_like_the_top() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        up = random_eye(rng)[0].turn @ (0, 0, 1)
        assert -up[2] >= np.cos(np.deg2rad(STEEPEST)) - 1e-9


def test_a_die_drawn_with_numerals_bears_them_in_place_of_pips_and_fills_the_patch_as_any_other() -> None:
    rng = np.random.default_rng(4)
    eye = next(eye for eye, _ in (random_eye(rng) for _ in range(500)) if eye.turn[2, 2] < -np.cos(np.deg2rad(3)))
    bare = [np.zeros((96, 96), np.uint8)] * 6
    bars = [np.zeros((96, 96), np.uint8) for _ in range(6)]
    for bar in bars:
        bar[10:86, 40:56] = 255
    for marks, pieces in ((bare, 0), (bars, 1)):
        patch, mask = draw_die(6, plain(rng), eye, rng, marks)
        grey = np.where(mask > 200, cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), 255).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats((grey < 90).astype(np.uint8))
        assert len([s for s in stats[1:] if s[4] > 100]) == pieces
        _, _, width, height = cv2.boundingRect((mask > 100).astype(np.uint8))
        assert max(width, height) == pytest.approx(160 / 2.2, abs=3)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_printed_die_shows_as_many_pips_as_it_says(value: int) -> None:
    for number in [n for n in range(20) if np.random.default_rng(n).uniform() > 0.15][:8]:  # those with black pips
        face = np.full((160, 160, 3), (250, 248, 240), np.uint8)
        print_die(face, (80, 80), 80, value, np.random.default_rng(number), (250, 248, 240))
        dark = (cv2.cvtColor(face, cv2.COLOR_RGB2GRAY) < 120).astype(np.uint8)
        dark[:44] = dark[116:] = dark[:, :44] = dark[:, 116:] = 1  # an outline is no pip
        assert cv2.connectedComponents(dark)[0] - 2 == value


def test_drawn_look_alikes_are_reproducible_and_all_different() -> None:
    again = [draw_other(np.random.default_rng([5, number])) for number in (*range(12), 0)]
    assert (again[0] == again[-1]).all()
    assert len({patch.tobytes() for patch in again}) == 12
    assert all(patch.shape == (160, 160, 3) and patch.std() > 2 for patch in again)


def test_cards_of_one_split_are_never_among_those_of_the_other() -> None:
    def prints(dev: bool) -> set[bytes]:
        rngs = [np.random.default_rng(number) for number in range(5)]
        return {prop.print.tobytes() for rng in rngs for prop in cards_around(rng, dev=dev) if prop.print is not None}

    taught = prints(dev=False)
    assert len(taught) > 8
    assert not taught & prints(dev=True)
