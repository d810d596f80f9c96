"""The tracker: which dice are matched, missed and read again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.squares import DICE, Squares, picture
from tests.vision.tracked import seen
from vision.boxes import grown, touch
from vision.dice.detections import Detections
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.tracking.tracker import Tracker
from vision.types import Box, Frame


def beside(*hands: Box) -> Callable[[Box, float, float], bool]:
    """Whether one of the hands was recently this near to a box."""
    return lambda box, far, _: any(touch(grown(box, far), hand) for hand in hands)


def die_at(middle: tuple[float, float]) -> tuple[float, float, float, float]:
    x, y = middle
    return x - 20, y - 18, x + 20, y + 18


ROLLING, AT_REST = (258.0, 82.0, 294.0, 123.0), (249.0, 69.0, 282.0, 102.0)


def test_a_place_a_die_rolled_through_is_not_read_again_beside_where_it_came_to_rest() -> None:
    tracker = Tracker()
    tracker.update(seen(ROLLING), 0.0)
    assert len(tracker.missing(seen(AT_REST))) == 0


def test_a_die_missed_by_a_fast_pass_is_read_again_though_another_touches_it() -> None:
    tracker = Tracker()
    tracker.update(seen(ROLLING, (400, 82, 436, 123)), 0.0)
    beside = (258.0 + 33, 82.0, 294.0 + 33, 123.0)
    np.testing.assert_allclose([die.box for die in tracker.missing(seen(beside, (400, 82, 436, 123)))], [ROLLING])


def test_a_die_that_comes_out_from_under_a_hand_is_not_taken_for_its_neighbour() -> None:
    tracker = Tracker()
    one, other = (100.0, 100.0, 140.0, 140.0), (145.0, 110.0, 185.0, 150.0)
    tracks: dict[int, tuple[float, ...]] = {}
    for number in range(20):
        # The hand covers the left one first, then the right one, and uncovers the left one first.
        shown = [box for box, hidden in ((one, 8 <= number < 14), (other, 11 <= number < 16)) if not hidden]
        tracker.update(seen(*shown), number / 15)
        if number == 7:
            tracks = {die.track: die.box for die in tracker.dice}
    assert {die.track: die.box for die in tracker.dice} == tracks


def test_a_die_that_a_hand_covers_again_at_once_is_not_taken_for_its_neighbour() -> None:
    tracker = Tracker()
    one, other, third = (100.0, 100.0, 140.0, 140.0), (145.0, 110.0, 185.0, 150.0), (300.0, 100.0, 340.0, 140.0)
    for number in range(20):
        # Through the fingers the right one is seen in one pass, and the left one in the next.
        shown = [
            box
            for box, seen_ in ((one, number < 12 or number > 14), (other, number < 8 or number == 14 or number > 17))
            if seen_
        ]
        tracker.update(seen(*shown, third), number / 15)
    assert {die.track: die.box for die in (*tracker.dice, *tracker.hidden)} == {1: one, 2: other, 3: third}


def test_two_dice_merged_in_one_pass_keep_their_tracks() -> None:
    """Bug: a touching 1 and 2, merged in one pass, exchanged their tracks and counted as rolled."""
    tracker = Tracker()
    one, other = (152.0, 114.0, 208.0, 174.0), (142.0, 106.0, 187.0, 148.0)
    for number in range(10):
        tracker.update(seen(one, other), number / 12)
    tracks = {die.track: die.box for die in tracker.dice}
    tracker.update(seen((144.0, 106.0, 193.0, 162.0)), 10 / 12)
    tracker.update(seen((145.0, 107.0, 204.0, 173.0)), 11 / 12)
    tracker.update(seen(one, other), 1.0)
    assert {die.track: die.box for die in tracker.dice} == tracks


def test_a_die_seen_as_one_with_its_hidden_neighbour_is_as_large_as_it_was() -> None:
    """Bug: a hand had hidden a 5 beside a 6, and fast passes saw both as the 6 for two seconds. Only a refined pass may
    find that a die is larger."""
    tracker, die = Tracker(), (100.0, 100.0, 140.0, 140.0)
    for number in range(10):
        tracker.update(seen(die), number / 12)
    both = seen((98.0, 92.0, 160.0, 150.0))
    tracker.update(both, 10 / 12)
    assert [one.box for one in tracker.dice] == [die]
    tracker.update(replace(both, passes=np.full(1, 6.0)), 11 / 12)
    assert [one.box[2] for one in tracker.dice] == [160.0]


def test_a_die_rolling_slowly_where_no_hand_is_has_rolled_and_a_shaking_one_has_not() -> None:
    """Nor has one whose box drifts where nothing moves, as when a hand leaves that covered a part of it."""
    noise = np.random.default_rng(1)
    for step, stirs, rolls in ((4.0, True, True), (0.0, True, False), (4.0, False, False)):
        tracker = Tracker()
        for number in range(12):
            left = 100.0 + step * number + noise.normal(0, 0.8)
            tracker.update(seen((left, 100.0, left + 40, 140.0)), number / 15)
            tracker.count_rolls(beside(), [(left, 100.0, left + 40, 140.0)] if stirs else [])
        assert (tracker.dice[0].rolling_passes > 1) is rolls


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_dice_of_a_turned_picture_are_followed_to_where_the_picture_says_they_are(degrees: int) -> None:
    """Bug: boxes mapped by a rotation were inverted, so every die was seen twice."""
    tracker = Tracker()
    resting = [(300.0, 160.0), (400.0, 240.0), (460.0, 180.0)]
    for n in range(6):
        tracker.update(seen(*map(die_at, resting)), n / 30)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    around = np.array([[1, 0, 320], [0, 1, 240], [0, 0, 1]]) @ [[c, -s, 0], [s, c, 0], [0, 0, 1]]
    turn = around @ np.array([[1, 0, -320], [0, 1, -240], [0, 0, 1]])
    tracks = {die.track for die in tracker.dice}
    tracker.shift(turn)
    moved = [(float(x), float(y)) for x, y, _ in (turn @ [*middle, 1] for middle in resting)]
    for n in range(6, 16):
        tracker.update(seen(*map(die_at, moved)), n / 30)
    assert {die.track for die in tracker.dice} == tracks


def test_a_die_that_appears_beside_a_hand_was_put_down_and_not_rolled() -> None:
    """Bug: a die put down becomes visible when the hand has withdrawn by a finger's width."""
    box = (100.0, 100.0, 140.0, 140.0)
    for gap, rolls in ((-10.0, 0), (10.0, 0), (30.0, 1)):
        tracker = Tracker()
        tracker.update(seen(box), 0.0)
        tracker.count_rolls(beside((140.0 + gap, 100.0, 300.0, 200.0)), [box])
        assert tracker.dice[0].rolling_passes == rolls, gap


def test_a_resting_die_partly_covered_by_a_hand_has_not_rolled() -> None:
    """Bug: a hand came back and covered half of a die that it had just put down."""
    tracker = Tracker()
    whole, other = (38.0, 314.0, 90.0, 364.0), (195.0, 110.0, 233.0, 154.0)
    for number, box in enumerate([whole] * 4 + [(39.0, 314.0, 71.0, 357.0)] + [whole] * 2):
        tracker.update(seen(box, other), number / 12)
        tracker.count_rolls(beside((20.0, 340.0, 88.0, 480.0)) if number < 2 else beside(), [box])
    assert [die.rolling_passes for die in tracker.dice] == [0, 0]
    assert all(die.rested is not None and die.rested <= 3 / 12 for die in tracker.dice)  # and has rested there since
    for number in range(7, 12):  # it rolls along a row: two of its sides move, the others do not
        tracker.update(seen((38.0 + 20 * (number - 6), 314.0, 90.0 + 20 * (number - 6), 364.0), other), number / 12)
        tracker.count_rolls(beside(), [(0.0, 300.0, 300.0, 400.0)])
    assert tracker.dice[0].rolling_passes > 1


def test_the_top_of_a_die_behind_another_is_like_the_other_dice() -> None:
    """Bug: for a die with dark sides and a bright top, the finder's box covered the top alone."""
    tracker = Tracker()
    for number in range(3):
        tracker.update(seen((294.0, 177.0, 334.0, 214.0)), number / 12)
    top, pip, box = (325.0, 97.0, 351.0, 113.0), (340.0, 190.0, 350.0, 200.0), (100.0, 100.0, 180.0, 180.0)
    assert tracker.single(seen(top, pip, box)).xyxy.tolist() == [list(top)]


def test_a_refined_pass_while_a_hand_puts_a_die_down_is_not_held_against_later_ones() -> None:
    """Bug: with a finger over two pips, a 4 was read as a 2, which stayed until the table was cleared."""
    tracker, box = Tracker(), die_at((200, 150))

    def refined_pass(face: int) -> Detections:
        found = seen(box)
        chances = np.full((1, 6), 0.01, np.float32)
        chances[0, face - 1] = 0.95
        return Detections(found.xyxy, chances, found.scores, np.full(1, 6.0, np.float32))

    for number in range(3):
        tracker.update(refined_pass(2), number / 12, [(0.0, 100.0, 190.0, 200.0)])
        tracker.dice[0].last_motion = number / 12
    tracker.dice[0].touched, tracker.dice[0].unchanged = 2 / 12, False  # the hand has gone from beside it
    tracker.update(refined_pass(4), 3 / 12)
    assert tracker.dice[0].value == 4


@pytest.mark.parametrize("fps", [15, 30, 60])
def test_a_die_that_creeps_is_seen_to_roll_by_a_fast_camera_too(fps: int) -> None:
    """Bug: only as many passes were remembered as vote, and ten passes of a fast camera are too short a time."""
    tracker, far = Tracker(), [(x, 300.0, x + 40, 340.0) for x in (300.0, 400.0, 500.0)]
    for number in range(fps):
        left = 100.0 + 0.8 * 40 * max(0.0, number / fps - 0.5)  # from half a second on 0.8 of its width a second
        box = (left, 100.0, left + 40, 140.0)
        tracker.update(seen(box, *far), number / fps)
        tracker.count_rolls(beside(), [box])
        if number == fps // 2:
            tracker.settle({}, number / fps)
    assert next(die for die in tracker.dice if die.box[1] < 200).rolling_passes


def test_a_thing_far_larger_than_the_dice_is_none_and_nothing_waits_for_it() -> None:
    """Bug: a token beside the dice was read as a die, and the table did not settle before the token was taken away."""
    pipeline, read = Pipeline(Squares(), WholePicture()), {}
    for number in range(60):
        image = picture(DICE if number >= 30 else (), number)
        image[380:460, 480:560] = 235
        reading = pipeline.step(Frame(image, number / 30, number))
        if reading.settled:
            read.setdefault(len(reading.dice), reading.seconds)
    assert list(read) == [1, len(DICE)]
    assert read[len(DICE)] < 1.0 + 0.5
