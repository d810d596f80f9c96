"""Composed films with difficult pictures: patterned boards, held pictures, exposure jumps, a die cut by the edge."""

from __future__ import annotations

import numpy as np
import pytest

from scripts.clip_parts.kinds import EAGER, KINDS
from scripts.clip_parts.pictured import FIELD, INKED, board


@pytest.mark.parametrize("seed", range(6))
def test_about_half_of_a_printed_board_is_dark_and_no_part_of_it_is_lighter_than_the_table(seed: int) -> None:
    ground = np.full((240, 320, 3), 200, np.uint8)
    printed = board(ground, 20.0, np.random.default_rng(seed))
    dark = printed[..., 0] < 200
    assert 0.3 < dark.mean() < 0.7
    assert printed.max() == 200
    assert INKED[0] * 200 - 1 <= printed[dark].min() <= printed[dark].max() <= INKED[1] * 200
    edges = np.flatnonzero(np.diff(dark[120].astype(int)))
    assert len(edges) <= 320 / (FIELD[0] * 20 / 2), "fields are about as wide as dice"


def test_the_film_suite_contains_each_kind_of_difficult_picture() -> None:
    assert {"boarded", "held", "exposed", "cut off"} <= {*EAGER} <= {*KINDS}
