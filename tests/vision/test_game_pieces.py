"""Rendered game pieces stay on the table and within the picture."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.game_pieces import PIECES, Piece, game_pieces

EXTENT = {"ellipsoid": 2, "cylinder": 1, "box": 2}  # which half size is upright


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.__name__)
def test_a_piece_rests_on_the_table(piece: Piece) -> None:
    for seed in range(20):
        parts = piece(0.0, 0.0, np.random.default_rng(seed))
        lowest = [part.position[2] - part.size[EXTENT[part.kind]] for part in parts]
        assert min(lowest) == pytest.approx(0.0, abs=1e-6)
        assert all(low >= -1e-6 for low in lowest)


def test_one_game_has_few_kinds_of_pieces_near_the_middle() -> None:
    parts = game_pieces(np.random.default_rng(3), 100.0, 12)
    assert len(parts) >= 12
    assert max(abs(side) for part in parts for side in part.position[:2]) < 100 + 8 * 36
