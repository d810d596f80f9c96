"""Drawn pieces that are no dice fill the finder's box and leave the table around them visible."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.drawn.photos import Image
from tests.kit.drawn.pieces import draw_piece, draw_printed

SIZE, BOX = 144, 45.0
BACK: Image = np.full((SIZE, SIZE, 3), (90, 140, 60), np.uint8)


def _changed(look: Image) -> np.ndarray:
    return np.abs(look.astype(np.int16) - BACK).max(axis=2) > 12


@pytest.mark.parametrize("seed", range(40))
def test_a_piece_is_where_the_box_would_be(seed: int) -> None:
    look = draw_piece(BACK, BOX, np.random.default_rng(seed))
    middle = _middle(_changed(look))
    assert look.shape == BACK.shape
    assert middle.mean() > 0.4


@pytest.mark.slow
def test_half_of_a_domino_is_seen_with_its_other_half() -> None:
    """Otherwise it looks like a die: a domino is as wide as its box and twice as long."""
    spread = []
    for seed in range(60):
        look = draw_piece(BACK, BOX, np.random.default_rng(seed))
        rows, columns = np.nonzero(_changed(look))
        spread.append(max(np.ptp(rows), np.ptp(columns)) / BOX)
    assert np.mean(np.array(spread) > 1.5) > 0.4


@pytest.mark.parametrize("seed", range(10))
def test_a_printed_die_is_in_the_middle_of_its_card(seed: int) -> None:
    look = draw_printed(BACK, BOX, np.random.default_rng(seed))
    assert _middle(_changed(look)).mean() > 0.9


def _middle(mask: np.ndarray) -> np.ndarray:
    """The part of a mask that a box in the middle covers."""
    half = int(BOX * 0.35)
    return mask[SIZE // 2 - half : SIZE // 2 + half, SIZE // 2 - half : SIZE // 2 + half]
