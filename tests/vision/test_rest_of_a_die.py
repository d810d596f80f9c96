"""Each die rests by itself: it is read soon after it stops, whatever moves elsewhere, but not while it creeps."""

from __future__ import annotations

import pytest

from tests.referee.detected_table import AREAS, KEPT_ROW, DetectedTable, Die, scaled
from vision.tracking.motion import Activity, Box
from vision.types import Reading

DICE = [(10.0, 5.0, 6), (13.0, 6.0, 2), (16.0, 5.0, 3)]
ARM = [(0.0, float(y), 2.0 + y, y + 1.0) for y in range(4)]  # strips of one large region that reaches in from the left


def rolled_in(table: DetectedTable) -> None:
    """Three dice roll in as fast as in `DetectedTable.roll`; they rest from the next pass on."""
    for step in range(12):
        back = 0.03 * (12 - step) ** 2
        rolling = [(x - back, y, 1 + (value + step) % 6) for x, y, value in DICE]
        table.send(rolling, Activity(moving=tuple(scaled((x - 0.5, y - 0.5, x + 0.5, y + 0.5)) for x, y, _ in rolling)))


def rested(table: DetectedTable, frames: int, moving: list[Box], hand: bool = False) -> list[Reading]:
    regions = tuple(scaled(box) for box in moving)
    return [table.send(DICE, Activity(moving=regions, hands=regions if hand else ())) for _ in range(frames)]


@pytest.mark.parametrize("rate", [15.0, 30.0])
@pytest.mark.parametrize("hand", [False, True])
def test_dice_at_rest_are_read_within_a_quarter_second_though_an_arm_reaches_in(rate: float, hand: bool) -> None:
    """Bug: five dice rested for half a second, but the hand that came for them prevented a reading."""
    table = DetectedTable(rate=rate)
    rolled_in(table)
    read = rested(table, round(0.25 * rate) + 1, ARM, hand)
    assert read[-1].settled
    assert read[-1].active == (2, 3, 6)


def test_a_possible_die_in_flight_delays_a_reading_only_as_long_as_a_die_flies() -> None:
    table = DetectedTable()
    rolled_in(table)
    read = rested(table, 24, [(20.0, 5.0, 21.0, 6.0)])
    assert not any(reading.settled for reading in read[:8])
    assert read[-1].settled


def test_a_die_that_still_creeps_is_not_read() -> None:
    table = DetectedTable()
    rolled_in(table)
    for step in range(15):
        x = 16.0 + 0.05 * step
        box = scaled((x - 0.5, 4.5, x + 0.5, 5.5))
        assert not table.send([*DICE[:2], (x, 5.0, 3)], Activity(moving=(box,))).settled


def test_dice_at_rest_before_the_hand_covered_some_are_not_read_without_them() -> None:
    """Bug: a hand took four of five unread dice, and "3" was read."""
    table = DetectedTable()
    rolled_in(table)
    rested(table, 5, [])
    hand = scaled((8.0, 3.0, 14.5, 9.0))
    for _ in range(30):
        reading = table.send(DICE[2:], Activity(moving=(hand,), hands=(hand,)))
        assert not reading.settled or reading.active == (2, 3, 6)


def rolling(
    table: DetectedTable, resting: list[Die], die: Die, frames: int, hand: tuple[Box, ...] = ()
) -> list[Reading]:
    """Readings while a die rolls on slowly for `frames` frames and ends one step from its final place."""
    x, y, value = die
    seen = []
    for step in range(frames, 0, -1):
        now = (x - 0.25 * step, y, 1 + (value + step) % 6)
        box = scaled((now[0] - 0.5, y - 0.5, now[0] + 0.5, y + 0.5))
        seen.append(table.send([*resting, now], Activity(moving=(box, *hand), hands=hand), sure=0.7))
    return seen


@pytest.mark.parametrize("rate", [15.0, 30.0])
def test_a_die_taken_while_another_still_rolls_is_read_with_its_roll(rate: float) -> None:
    """Bug: a hand took a 6 before the last die rested, and "2 3" was read as the roll."""
    table, hand = DetectedTable(rate=rate), (scaled((9.0, 3.0, 11.5, 7.0)),)
    rolled_in(table)
    last = (16.0, 8.0, 4)
    for step in range(3, 0, -1):  # they have come to rest, and a fourth rolls in
        rolling(table, DICE, (last[0] - 0.5 * step, last[1], 4), 2)
    rolling(table, DICE, last, round(0.3 * rate))
    assert not any(round(reading.rolls) for reading in table.settled)
    rolling(table, DICE[1:], last, round(0.2 * rate), hand)  # the hand covers the first …
    rolling(table, DICE[1:], last, round(0.2 * rate))  # … and has taken it
    read = [table.send([*DICE[1:], last], Activity()) for _ in range(round(0.4 * rate))]
    shown = next(reading for reading in read if reading.settled)
    assert round(shown.rolls) == 1
    assert shown.active == (2, 3, 4, 6)


def test_rerolled_dice_are_read_while_an_arm_hides_those_set_aside() -> None:
    """Bug: each new die was matched to one under the arm, and nothing was read for two seconds."""
    table = DetectedTable(AREAS)
    aside, arm = [(10.0, KEPT_ROW, 6), (12.0, KEPT_ROW, 5)], (8.0, 12.0, 14.0, 14.0)
    table.roll([(10.0, 5.0, 6), (12.0, 6.0, 5), (16.0, 5.0, 3), (14.0, 7.0, 2)])
    table.rest([(16.0, 5.0, 3), (14.0, 7.0, 2)], 20, (9.0, 3.0, 13.0, 14.0))
    assert table.rest([*aside, (16.0, 5.0, 3), (14.0, 7.0, 2)]).kept == (5, 6)
    table.rest([], 12, (8.0, 3.0, 18.0, 14.0))
    table.rest([], 6, arm)  # both in play are in the hand now
    again, covered = [(11.0, 5.0, 1), (15.0, 6.0, 4)], (scaled(arm),)
    for step in range(12, 0, -1):
        now = [(x - 0.03 * step**2, y, 1 + (value + step) % 6) for x, y, value in again]
        boxes = tuple(scaled((x - 0.5, y - 0.5, x + 0.5, y + 0.5)) for x, y, _ in now)
        table.send(now, Activity(moving=(*boxes, *covered), hands=covered), sure=0.7)
    read = table.rest(again, 12, arm)
    assert read.settled
    assert (read.active, read.kept) == ((1, 4), (5, 6))


def test_a_die_hidden_when_its_roll_is_read_is_not_a_second_roll_when_it_reappears() -> None:
    """Bug: motion from before the die was hidden counted for a second roll."""
    table, hand = DetectedTable(), scaled((8.0, 3.0, 11.5, 7.0))
    rolled_in(table)
    assert not any(round(reading.rolls) for reading in rested(table, 3, []))
    for _ in range(20):
        reading = table.send(DICE[1:], Activity(moving=(hand,), hands=(hand,)))
    assert (round(reading.rolls), reading.active) == (1, (2, 3, 6))
    seen = rested(table, 30, [])[-1]
    assert (round(seen.rolls), seen.active) == (1, (2, 3, 6))


def test_a_die_hidden_by_something_motionless_is_not_a_roll_when_it_reappears() -> None:
    """Bug: a die under other players' resting fingers counted as rolled once it was visible."""
    table = DetectedTable()
    rolled_in(table)
    assert round(rested(table, 30, [])[-1].rolls) == 1
    for _ in range(60):  # no hand is seen there
        reading = table.send(DICE[1:], Activity())
    assert (reading.settled, reading.active) == (True, (2, 3))
    rested(table, 3, [(9.4, 4.4, 10.6, 5.6)])
    seen = rested(table, 30, [])[-1]
    assert (round(seen.rolls), seen.active) == (1, (2, 3, 6))


def test_a_die_that_rolls_to_its_old_place_when_the_hand_has_gone_was_rolled() -> None:
    """Bug: a die appeared where a hand had hidden it, and counted as turned."""
    table, hand = DetectedTable(), scaled((8.0, 3.0, 11.5, 7.0))
    rolled_in(table)
    assert round(rested(table, 30, [])[-1].rolls) == 1
    for _ in range(10):
        table.send(DICE[1:], Activity(moving=(hand,), hands=(hand,)))
    for _ in range(8):
        table.send(DICE[1:], Activity())
    table.send([(10.05, 5.05, 1), *DICE[1:]], Activity(moving=(scaled((9.0, 4.5, 10.6, 5.6)),)))
    for _ in range(30):
        seen = table.send([(10.05, 5.05, 1), *DICE[1:]], Activity())
    assert (seen.settled, round(seen.rolls), seen.active, seen.kept) == (True, 2, (1,), (2, 3))
    assert seen.dice[0].rolled > 0.5


def test_of_two_dice_under_a_hand_the_one_it_puts_down_is_the_one_that_showed_it() -> None:
    """Bug: one of two hidden dice was taken away, and the one set aside was counted twice."""
    table, hand = DetectedTable(AREAS), scaled((8.0, 3.0, 14.5, 9.0))
    table.roll(DICE)
    assert table.rest(DICE, 20).settled
    table.send([DICE[1], DICE[2]], Activity(moving=(hand,), hands=(hand,)))
    for _ in range(3):
        table.send([DICE[2]], Activity(moving=(hand,), hands=(hand,)))
    for _ in range(12):
        seen = table.send([(10.0, KEPT_ROW, 2), DICE[2]], Activity(moving=(hand,), hands=(hand,)))
    assert (seen.active, seen.kept) == ((3, 6), (2,))


@pytest.mark.parametrize(("lost", "known"), [(0.6, False), (0.1, True)])
def test_a_die_first_seen_after_lost_frames_may_have_been_put_there(lost: float, known: bool) -> None:
    """Bug: dice set aside while frames were lost counted as rolled, because no hand had been seen near."""
    table = DetectedTable()
    rolled_in(table)
    rested(table, 30, [])
    table.frame += round(30 * lost)
    there = (*DICE[1:], (10.0, 9.0, 6))
    table.send(there, Activity(moving=(scaled((9.5, 8.5, 10.5, 9.5)), scaled((9.5, 4.5, 10.5, 5.5)))))
    for _ in range(30):
        seen = table.send(there, Activity())
    assert seen.settled
    (came,) = (die for die in seen.dice if die.value == 6)
    assert (came.rolled > 0.5, round(seen.rolls)) == (known, 1 + known)
