"""Readings of covered or contradictory tables, frame by frame and without pictures."""

from __future__ import annotations

from tests.referee.detected_table import AREAS, HAND, KEPT_ROW, DetectedTable, scaled
from vision import messages
from vision.table.layout import DrawnAreas
from vision.tracking.motion import Activity
from vision.types import Motion


def test_a_die_hidden_by_a_hand_comes_back_with_its_identity() -> None:
    table = DetectedTable()
    before = table.rest([(10, 5, 6), (13, 6, 2)])
    table.rest([(13, 6, 2)], 40, hand=(8, 3, 12, 7))
    after = table.rest([(10.1, 5, 6), (13, 6, 2)])
    assert table.facts == [(1, (2, 6), ())]
    assert {die.track for die in before.dice} == {die.track for die in after.dice}


def test_a_die_that_a_hand_covers_is_kept_for_two_seconds_without_a_new_reading() -> None:
    table = DetectedTable()
    table.rest([(10, 5, 6), (13, 6, 2)])
    reading = table.rest([(13, 6, 2)], 30, hand=(8, 3, 12, 7))
    assert reading.motion is Motion.HAND
    assert [(die.value, die.hidden) for die in reading.dice] == [(2, False), (6, True)]
    assert 0.5 < reading.dice[1].there < 0.9
    assert table.facts == [(1, (2, 6), ())]
    assert [die.value for die in table.rest([(13, 6, 2)], 75, hand=(8, 3, 12, 7)).dice] == [2]


def test_a_newcomer_may_be_a_die_from_a_hand_and_an_empty_uncovered_place_has_none() -> None:
    """Bug: dice set aside were under the arm of the player who rolled the others, so the roll was never read. But a die
    set aside must not be read twice while a hand covers its old place."""
    table = DetectedTable(AREAS)
    table.rest([(10, 5, 6), (13, 6, 2)])
    hand = (8, 3, 15, 14)
    table.rest([], 6, hand=hand)
    reading = table.rest([(12, KEPT_ROW, 6)], 12, hand=hand)
    assert sorted(die.value for die in reading.dice) == [2, 6]
    assert [die.value for die in reading.dice if die.hidden] == [2]
    assert not table.rest([(12, KEPT_ROW, 6)], 2, hand=(1, 1, 3, 3)).dice[1:], "the place of the 2 is empty"


def test_a_hand_resting_in_the_picture_is_reported() -> None:
    table = DetectedTable()
    reading = table.rest([(10, 5, 6), (13, 6, 2)], 90, hand=(1, 1, 6, 6))
    assert reading.settled
    assert reading.doubt == messages.HAND


def test_a_kept_die_that_seems_to_change_is_a_doubt_and_no_edit() -> None:
    table = DetectedTable(AREAS)
    table.rest([(10, 5, 3), (12, KEPT_ROW, 6)])
    reading = table.rest([(10, 5, 3), (12, KEPT_ROW, 4)], 40)
    assert reading.kept == (6,)
    assert reading.doubt == messages.KEPT_CHANGED.format(before=6, after=4)
    assert table.facts == [(1, (3,), (6,))]


def test_a_die_set_aside_keeps_no_unsure_value() -> None:
    """Bug: the first pass doubtfully read a 3 set aside as a 4, which it stayed."""
    table = DetectedTable(AREAS)
    table.roll([(10, 5, 3), (13, 6, 2)])
    table.rest([(13, 6, 2)], 10, hand=HAND)
    resting = [(13.0, 6.0, 2), (12.0, KEPT_ROW, 4)]
    assert table.rest(resting, sure=0.5).kept == (4,)
    resting[1] = (12, KEPT_ROW, 3)
    assert table.rest(resting).kept == (3,)
    table.roll([(5, 5, 1)], resting[1:])
    resting[0], resting[1] = (5, 5, 1), (12, KEPT_ROW, 6)
    assert table.rest(resting, 40).kept == (3,)  # the dice resting there during the roll are final


def test_a_single_wrong_pass_changes_nothing() -> None:
    table = DetectedTable()
    table.rest([(10, 5, 3), (13, 6, 2)])
    for _ in range(10):
        table.rest([(10, 5, 5), (13, 6, 2)], 1)
        table.rest([(10, 5, 3), (13, 6, 2)], 9)
    assert table.facts == [(1, (2, 3), ())]


def test_a_die_no_longer_seen_though_no_hand_came_near_is_a_doubt() -> None:
    table = DetectedTable()
    table.rest([(10, 5, 3), (13, 6, 2)])
    reading = table.rest([(13, 6, 2)], 60)
    assert reading.active == (2,)
    assert reading.doubt == messages.VANISHED


def test_dice_that_a_camera_without_focus_does_not_see_are_not_gone() -> None:
    """Bug: without focus for a second the table was read as empty, and the dice counted as rolled afterwards."""
    table = DetectedTable()
    table.rest([(10, 5, 3), (13, 6, 2)])
    table.rest([], 30)
    table.rest([(10, 5, 3), (13, 6, 2)])
    assert table.facts == [(1, (2, 3), ())]


def test_a_die_confused_with_a_finger_keeps_its_identity() -> None:
    """Bug: the die's track followed the finger, and the die itself counted as new."""
    table = DetectedTable()
    resting = [(10.0, 5.0, 3), (13.0, 6.0, 2)]
    table.rest(resting)
    hand = (8.0, 3.0, 16.0, 14.0)
    table.rest([(10.35, 5.3, 6), (13, 6, 2)], 2, hand=hand)
    table.rest([(13, 6, 2)], 8, hand=hand)
    table.rest([*resting, (15.0, 9.0, 3)], 10, hand=hand)
    table.rest([*resting, (15.0, 9.0, 3)])
    assert table.facts == [(1, (2, 3), ()), (1, (2, 3, 3), ())]


def test_a_die_back_in_sight_must_rest_before_it_is_read() -> None:
    """Bug: a die that rolled through the place of a hidden one was settled at once."""
    table = DetectedTable()
    table.rest([(10, 5, 3), (13, 6, 2)])
    table.rest([(13, 6, 2)], 90, hand=(8.0, 3.0, 11.5, 14.0))
    before = len(table.settled)
    for x in (10.4, 9.6, 8.8, 8.0, 7.2):
        reading = table.send([(x, 5, 4), (13, 6, 2)], Activity(moving=(scaled((x - 1, 4.4, x + 1, 5.6)),)))
        assert not reading.settled
    assert len(table.settled) == before


def test_fewer_dice_after_a_roll_than_before_is_a_doubt() -> None:
    table = DetectedTable(AREAS)
    kept = (12.0, KEPT_ROW, 6)
    table.rest([(10, 5, 3), (13, 6, 2), kept])
    table.rest([kept], 30, hand=HAND)
    reading = table.roll([(11, 6, 4)], resting=[kept])
    assert reading.doubt == messages.FEWER.format(seen=2, before=3)


def test_a_die_without_a_clear_top_face_is_waited_for_and_then_doubted() -> None:
    table = DetectedTable()
    reading = table.rest([(10, 5, 3), (13, 6, 2)], 12, sure=0.3)
    assert not reading.settled
    reading = table.rest([(10, 5, 3), (13, 6, 2)], 40, sure=0.3)
    assert reading.settled
    assert reading.doubt == messages.LEANING


def test_a_die_outside_the_areas_is_reported_and_does_not_count() -> None:
    areas = DrawnAreas(
        rolling=((0.1, 0.0), (0.5, 0.0), (0.5, 0.7), (0.1, 0.7)), kept=((0.1, 0.8), (0.5, 0.8), (0.5, 1.0), (0.1, 1.0))
    )
    table = DetectedTable(areas)
    reading = table.rest([(10, 5, 3), (20, 5, 1)])
    assert reading.active == (3,)
    assert reading.doubt == messages.OUTSIDE


def test_carried_dice_one_of_them_misread_are_not_a_roll() -> None:
    """Bug: three dice set aside, one small and blurred, counted as rolled because that one was misread."""
    table = DetectedTable()
    table.rest([(10, 5, 3), (13, 6, 2), (16, 5, 5)])
    table.rest([(16, 5, 5)], 40, hand=(8.0, 3.0, 15.0, 14.0))
    table.rest([(16, 5, 5), (9, 12, 3), (11, 12, 6)], 20, hand=(8.0, 3.0, 15.0, 14.0))
    table.rest([(16, 5, 5), (9, 12, 3), (11, 12, 6)])
    assert round(table.watch.conclude(Activity(), (1280, 720), table.frame, table.frame / 30).rolls) == 1


def test_a_die_put_down_long_before_the_hand_is_done_was_not_rolled() -> None:
    """Bug: seven dice set aside one by one counted as rolled, because no hand had been near the first recently."""
    table = DetectedTable()
    table.rest([(10, 5, 3), (13, 6, 2)])
    table.rest([(13, 6, 2)], 10, hand=(8, 3, 12, 7))
    table.rest([(13, 6, 2)], 15, hand=(3, 10, 7, 13))
    table.rest([(5, 12, 3)], 52, hand=(11, 3, 24, 13))
    after = table.rest([(5, 12, 3), (20, 12, 2)])
    assert round(after.rolls) == 1
    assert max(die.rolled for die in after.dice if die.track > 2) < 0.5


def test_dice_that_are_all_covered_say_nothing_new_and_one_covered_before_it_was_read_keeps_how_it_came() -> None:
    """Bug: a die put down and then covered together with all others counted as arrived without a hand, and an unused
    card was recorded."""
    table = DetectedTable(AREAS)
    table.roll([(10, 5, 3), (13, 6, 1)])
    hand = (8, 3, 18, 14)
    table.rest([(13, 6, 1)], 6, hand=hand)
    table.rest([(13, 6, 1), (12, KEPT_ROW, 3)], 4, hand=hand)
    assert not any(table.send([], Activity(hands=(scaled(hand),), moving=(scaled(hand),))).settled for _ in range(6))
    reading = table.rest([(13, 6, 1), (12, KEPT_ROW, 3)])
    aside = next(die for die in reading.dice if die.kept)
    assert round(reading.rolls) == 1
    assert aside.rolled < 0.5


def test_a_covered_doubtful_die_delays_no_reading() -> None:
    """Bug: while a hand covered a doubtful die, nothing else was read."""
    table = DetectedTable()
    resting, doubtful = (10.0, 5.0, 6), (13.0, 6.0, 2)
    table.rest([resting])
    for there in (True, True, False, True):
        table.send([resting, doubtful] if there else [resting], Activity())
    reading = table.rest([resting, (8.0, 12.0, 3)], 12, hand=(12.0, 4.0, 15.0, 8.0))
    assert reading.settled
    assert [die.value for die in reading.dice] == [6, 3]
