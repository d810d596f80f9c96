"""Pictures of the simulated table: rolls by MuJoCo's physics, drawn by its renderer."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.flight import Arena
from tests.kit.labelled import asset

pytestmark = [pytest.mark.slow, pytest.mark.physics]


def test_dice_are_rolled_by_physics_and_come_to_rest_flat_on_the_table() -> None:
    from tests.kit.roll_physics import simulate_roll

    flights = [simulate_roll([16.0] * 5, Arena(-90, -60, 90, 60), np.random.default_rng(seed)) for seed in range(4)]
    for flight in flights:
        assert (flight.positions[..., 2] > 6).all()  # never through the table
        assert np.abs(np.diff(flight.positions[-2:], axis=0)).max() < 0.2
    flat = [flight for flight in flights if flight.tilt.max() < 1]
    assert flat
    assert flat[0].positions[-1][:, 2] == pytest.approx(8.0, abs=0.3)


def test_the_same_seed_gives_the_same_picture_and_truth() -> None:
    from tests.kit.simulated_table import plain, simulate

    def film() -> list[tuple[np.ndarray, object]]:
        setting = plain("mat", 320, 240)
        return [(frame.image, truth) for frame, truth in simulate("A roll 6 2", seed=4, setting=setting, fps=6.0)]

    first, second = film(), film()
    assert [truth for _, truth in first] == [truth for _, truth in second]
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(first, second, strict=True))


def test_the_box_of_the_truth_is_where_the_die_is_drawn() -> None:
    from tests.kit.scene import Place
    from tests.kit.simulated_table import plain, simulate

    setting = plain("areas", 480, 360, slant=35.0)
    frames = list(simulate("A roll 6 2 1", seed=2, setting=setting, fps=6.0))
    still = [(frame, truth) for frame, truth in frames if not truth.moving and not truth.hand]
    frame, truth = still[-1]
    empty = np.median(np.stack([f.image for f, t in frames]).astype(float), axis=(0, 1, 2))
    for die in truth.dice:
        assert die.place is Place.ACTIVE
        assert die.xyxy is not None
        left, top, right, low = (round(v) for v in die.xyxy)
        inside = frame.image[top + 4 : low - 4, left + 4 : right - 4]
        assert np.abs(inside.mean(axis=(0, 1)) - empty).max() > 30  # white plastic, not wood


def test_the_printed_mat_is_found_in_its_place_in_the_picture() -> None:
    from tests.kit.played_turns import layout_of
    from tests.kit.script import Wait
    from tests.kit.simulated_table import random_setting, simulate
    from vision.table.printed_mat import PrintedMat

    for seed in (1, 5):
        setting = random_setting("mat", seed)
        frame, _ = next(iter(simulate([Wait(seconds=0.1)], seed=seed, setting=setting)))
        seen, known = layout_of(setting), layout_of(setting, known=True)
        assert isinstance(seen, PrintedMat)
        assert isinstance(known, PrintedMat)
        seen.update(frame.image)
        assert seen.to_mm is not None, f"no mat found with seed {seed}"
        for box in ((200, 200, 240, 240), (300, 300, 340, 340)):
            assert seen.foot_mm(box) == pytest.approx(known.foot_mm(box), abs=1.5)


def test_training_pictures_are_rebuilt_from_their_seed_with_labels_on_the_dice() -> None:
    from tests.kit.rolled_pictures import pictures

    first, second = (list(pictures(3, 1, False)) for _ in range(2))
    assert len(first) >= 2
    for (image, labels), (again, labels_again) in zip(first, second, strict=True):
        assert np.array_equal(image, again)
        assert labels == labels_again
        for value, x, y, w, h in labels:
            assert 0 <= value <= 5
            assert min(x - w / 2, y - h / 2) > 0
            assert max(x + w / 2, y + h / 2) < 1


def test_no_surface_and_no_die_is_in_both_splits() -> None:
    rng = np.random.default_rng(0)
    train = {asset(rng, 800, False) for _ in range(4000)}
    dev = {asset(rng, 800, True) for _ in range(4000)}
    assert train.isdisjoint(dev)
    assert len(train) > 600
    assert len(dev) > 90
