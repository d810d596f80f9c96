"""Rest belongs to a die: it is read soon after it came to lie, whatever moves elsewhere, but not while it creeps."""

from __future__ import annotations

import pytest

from tests.referee.told_table import ToldTable, scaled
from vision.tracking.motion import Box, Scene
from vision.types import Reading

DICE = [(10.0, 5.0, 6), (13.0, 6.0, 2), (16.0, 5.0, 3)]
ARM = [(0.0, float(y), 2.0 + y, y + 1.0) for y in range(4)]  # strips of one large region that reaches in from the left


def thrown(table: ToldTable) -> None:
    """Three dice roll in, as fast as `ToldTable.throw` rolls them; they lie from the next look on."""
    for step in range(12):
        back = 0.03 * (12 - step) ** 2
        rolling = [(x - back, y, 1 + (value + step) % 6) for x, y, value in DICE]
        table.look(rolling, Scene(moving=tuple(scaled((x - 0.5, y - 0.5, x + 0.5, y + 0.5)) for x, y, _ in rolling)))


def lie(table: ToldTable, frames: int, stirring: list[Box], hand: bool = False) -> list[Reading]:
    regions = tuple(scaled(box) for box in stirring)
    return [table.look(DICE, Scene(moving=regions, hands=regions if hand else ())) for _ in range(frames)]


@pytest.mark.parametrize("rate", [15.0, 30.0])
@pytest.mark.parametrize("hand", [False, True])
def test_dice_at_rest_are_read_within_a_quarter_second_though_an_arm_reaches_in(rate: float, hand: bool) -> None:
    """Found on real film: five dice lay still for half a second, and the hand that came for them kept all unread."""
    table = ToldTable(rate=rate)
    thrown(table)
    read = lie(table, round(0.25 * rate) + 1, ARM, hand)
    assert read[-1].settled
    assert read[-1].active == (2, 3, 6)


def test_what_may_be_a_die_in_flight_holds_a_reading_only_as_long_as_one_flies() -> None:
    table = ToldTable()
    thrown(table)
    read = lie(table, 24, [(20.0, 5.0, 21.0, 6.0)])
    assert not any(reading.settled for reading in read[:8])
    assert read[-1].settled


def test_a_die_that_still_creeps_is_not_read() -> None:
    table = ToldTable()
    thrown(table)
    for step in range(15):
        x = 16.0 + 0.05 * step
        box = scaled((x - 0.5, 4.5, x + 0.5, 5.5))
        assert not table.look([*DICE[:2], (x, 5.0, 3)], Scene(moving=(box,))).settled


def test_dice_that_lay_still_before_the_hand_covered_some_are_not_read_without_them() -> None:
    """Found on real film: of five dice that nobody had read yet a hand took four, and "3" was read."""
    table = ToldTable()
    thrown(table)
    lie(table, 5, [])
    hand = scaled((8.0, 3.0, 14.5, 9.0))
    for _ in range(30):
        reading = table.look(DICE[2:], Scene(moving=(hand,), hands=(hand,)))
        assert not reading.settled or reading.active == (2, 3, 6)
