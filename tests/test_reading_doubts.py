"""What is said of a table when a hand covers it or what is seen cannot be, frame by frame and without pictures."""

from __future__ import annotations

from tests.told_table import AREAS, HAND, KEPT_ROW, ToldTable
from vision import doubts
from vision.layout import DrawnAreas
from vision.seen import Motion


def test_a_die_hidden_by_a_hand_comes_back_with_its_identity() -> None:
    table = ToldTable()
    before = table.lie([(10, 5, 6), (13, 6, 2)])
    table.lie([(13, 6, 2)], 40, hand=(8, 3, 12, 7))
    after = table.lie([(10.1, 5, 6), (13, 6, 2)])
    assert table.facts == [(1, (2, 6), ())]
    assert {die.track for die in before.dice} == {die.track for die in after.dice}


def test_nothing_is_said_while_a_hand_covers_a_die() -> None:
    table = ToldTable()
    table.lie([(10, 5, 6), (13, 6, 2)])
    reading = table.lie([(13, 6, 2)], 30, hand=(8, 3, 12, 7))
    assert not reading.settled
    assert reading.motion is Motion.HAND


def test_a_hand_resting_in_the_picture_is_said() -> None:
    table = ToldTable()
    reading = table.lie([(10, 5, 6), (13, 6, 2)], 90, hand=(1, 1, 6, 6))
    assert reading.settled
    assert reading.doubt == doubts.HAND


def test_a_kept_die_that_seems_to_change_is_a_doubt_and_no_edit() -> None:
    table = ToldTable(AREAS)
    table.lie([(10, 5, 3), (12, KEPT_ROW, 6)])
    reading = table.lie([(10, 5, 3), (12, KEPT_ROW, 4)], 40)
    assert reading.kept == (6,)
    assert reading.doubt == doubts.KEPT_CHANGED.format(before=6, after=4)
    assert table.facts == [(1, (3,), (6,))]


def test_a_single_wrong_look_changes_nothing() -> None:
    table = ToldTable()
    table.lie([(10, 5, 3), (13, 6, 2)])
    for _ in range(10):
        table.lie([(10, 5, 5), (13, 6, 2)], 1)
        table.lie([(10, 5, 3), (13, 6, 2)], 9)
    assert table.facts == [(1, (2, 3), ())]


def test_a_die_no_longer_seen_though_no_hand_came_near_is_a_doubt() -> None:
    table = ToldTable()
    table.lie([(10, 5, 3), (13, 6, 2)])
    reading = table.lie([(13, 6, 2)], 40)
    assert reading.active == (2,)
    assert reading.doubt == doubts.VANISHED


def test_fewer_dice_after_a_throw_than_before_is_a_doubt() -> None:
    table = ToldTable(AREAS)
    kept = (12.0, KEPT_ROW, 6)
    table.lie([(10, 5, 3), (13, 6, 2), kept])
    table.lie([kept], 30, hand=HAND)
    reading = table.throw([(11, 6, 4)], lying=[kept])
    assert reading.doubt == doubts.FEWER.format(seen=2, before=3)


def test_a_die_without_a_clear_top_face_is_waited_for_and_then_doubted() -> None:
    table = ToldTable()
    reading = table.lie([(10, 5, 3), (13, 6, 2)], 12, sure=0.3)
    assert not reading.settled
    reading = table.lie([(10, 5, 3), (13, 6, 2)], 40, sure=0.3)
    assert reading.settled
    assert reading.doubt == doubts.LEANING


def test_a_die_outside_the_areas_is_not_counted_and_said() -> None:
    areas = DrawnAreas(
        rolling=((0.1, 0.0), (0.5, 0.0), (0.5, 0.7), (0.1, 0.7)), kept=((0.1, 0.8), (0.5, 0.8), (0.5, 1.0), (0.1, 1.0))
    )
    table = ToldTable(areas)
    reading = table.lie([(10, 5, 3), (20, 5, 1)])
    assert reading.active == (3,)
    assert reading.doubt == doubts.OUTSIDE
