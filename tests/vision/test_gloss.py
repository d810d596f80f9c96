"""Synthetic highlights for training must not hide the face that the label names."""

from __future__ import annotations

import numpy as np

from tests.kit.drawn.gloss import gloss


def test_a_highlight_brightens_and_changes_only_a_small_part_of_a_crop() -> None:
    look = np.full((80, 80, 3), 90, np.uint8)
    seen = [gloss(look, np.random.default_rng(seed)) for seed in range(300)]
    changed = [one for one in seen if (one != look).any()]
    assert 30 < len(changed) < 100, "now and then"
    for one in changed:
        assert (one >= look).all()
        assert (one > look + 20).any(axis=2).mean() < 0.2
    assert len({one.tobytes() for one in changed}) == len(changed), "no two alike"
