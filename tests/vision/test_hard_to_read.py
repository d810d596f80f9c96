"""Hard situations at real tables: the edge of an area, slow hands, dice shaken in view."""

from __future__ import annotations

import numpy as np
import pytest

from tests.referee.detected_table import DetectedTable
from vision.table.layout import DrawnAreas
from vision.tracking.motion import Activity

AREAS = DrawnAreas(
    rolling=((0.1, 0.0), (0.9, 0.0), (0.9, 0.7), (0.1, 0.7)), kept=((0.1, 0.72), (0.9, 0.72), (0.9, 1.0), (0.1, 1.0))
)
AT_THE_RIGHT = (0.9 * 1280 / 50 + 0.5, 6.0, 2)  # half over the edge: jitter decides whether it is inside
BETWEEN = (14.0, 0.72 * 720 / 50 - 0.1, 2)  # its foot on the edge of the kept area


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("die", [AT_THE_RIGHT, BETWEEN], ids=["outer edge", "edge of the kept area"])
def test_a_die_that_comes_to_rest_on_the_edge_of_an_area_stays_on_one_side(die, seed: int) -> None:
    table = DetectedTable(AREAS, seed=seed)
    table.rest([])
    table.roll([(10, 5, 6), die])
    table.rest([(10, 5, 6), die], 90)
    assert len(table.facts) == 2, "the empty table and one roll"


def test_a_slow_hand_over_the_dice_is_not_a_roll() -> None:
    table = DetectedTable(AREAS)
    dice = [(8, 5, 6), (12, 6, 2), (16, 5, 3)]
    table.rest([])
    table.roll(dice)
    for step in range(120):  # four seconds from left to right and away
        edge = 4 + 0.15 * step
        table.rest([die for die in dice if not edge - 3 < die[0] < edge], 1, hand=(edge - 3, 2, edge, 14))
    table.rest(dice)
    assert table.facts == [(0, (), ()), (1, (2, 3, 6), ())]


def test_dice_shaken_in_view_are_one_roll_when_released() -> None:
    table = DetectedTable(AREAS)
    table.rest([(8, 5, 6), (12, 6, 2)])
    table.rest([], 20, hand=(5, 2, 15, 14))
    chance = np.random.default_rng(3)
    for step in range(45):  # seen between the fingers now and then, never where or what they were
        hand = (8 + np.sin(step), 3, 14 + np.sin(step), 14)
        seen = [(*chance.uniform((9, 4), (13, 9)), int(chance.integers(1, 7))) for _ in range(chance.integers(0, 3))]
        table.rest(seen, 1, hand=hand, sure=0.5)
    table.roll([(16, 5, 4), (18, 7, 2)])
    assert table.facts == [(1, (2, 6), ()), (2, (2, 4), ())]


def test_long_motion_far_from_the_dice_does_not_delay_the_reading() -> None:
    table = DetectedTable(AREAS)
    table.rest([])
    table.roll([(10, 5, 6), (13, 6, 2)])
    for step in range(60):  # a player shuffles cards beside the table
        x = 60.0 + 10 * (step % 3)
        table.send([(10, 5, 6), (13, 6, 2)], Activity(moving=((x, 600.0, x + 80, 700.0),)))
    assert table.facts == [(0, (), ()), (1, (2, 6), ())]
