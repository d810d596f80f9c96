"""Dice drawn for training: a wrong label teaches a wrong reading, so what lies on top is counted by other means."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

from training.drawn_dice import STEEPEST, draw_die, random_eye, random_style


def plain(rng: np.random.Generator):
    """A white die with black pips, nothing on it that could be taken for a pip."""
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


def test_a_drawn_die_fills_the_patch_as_a_cut_out_does_from_every_side() -> None:
    rng = np.random.default_rng(1)
    for face in (1, 6) * 10:
        _, mask = draw_die(face, random_style(rng), random_eye(rng)[0], rng)
        x, y, width, height = cv2.boundingRect((mask > 100).astype(np.uint8))
        assert max(width, height) == pytest.approx(160 / 2.2, abs=3)
        assert (x + width / 2, y + height / 2) == pytest.approx((80, 80), abs=3)


def test_no_eye_looks_so_flat_that_another_face_than_the_top_is_the_one_seen() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        up = random_eye(rng)[0].turn @ (0, 0, 1)
        assert -up[2] >= np.cos(np.deg2rad(STEEPEST)) - 1e-9
