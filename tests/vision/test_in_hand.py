"""Dice in an open hand, and dice that a hand turns or aligns, have not been rolled."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.moving_table import shown, table
from tests.vision.squares import DICE, Squares, picture
from tests.vision.tracked import seen
from vision.pipeline import Pipeline
from vision.table.layout import TableZone, WholePicture
from vision.tracking.cover import Cover
from vision.tracking.motion import Activity, MotionGate
from vision.tracking.rest_memory import RestMemory
from vision.tracking.table_reader import Reader, ReaderInput
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Frame, Reading, SeenDie

IN_IT = ((230, 220), (290, 220), (230, 280), (290, 280))
STAYS = 30  # frames for which the hand is held still


def with_palm(number: int, dice: tuple[tuple[int, int], ...], resting: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Frame `number` of a film in which a palm with dice comes in from the left, stays nearly still, and leaves."""
    way = -420 + 60 * min(number, 7) if number < 7 + STAYS else -60 * (number - 7 - STAYS)
    x, y = way + (number % 8) // 4 * 4, (number % 6) // 3 * 4
    image = picture(resting, number)
    palm = np.random.default_rng(1).normal((90, 120, 180), 6, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    mask = np.zeros((480, 640), np.uint8)
    cv2.ellipse(mask, (250 + x, 250 + y), (120, 110), 0, 0, 360, 1, -1)
    cv2.rectangle(mask, (-500, 200 + y), (200 + x, 300 + y), 1, -1)
    image[mask > 0] = palm[mask > 0]
    for u, v in dice:
        left, top = u + x - 18, v + y - 18
        image[max(0, top) : max(0, top + 36), max(0, left) : max(0, left + 36)] = 235
    return image


def watched(dice: tuple[tuple[int, int], ...], resting: tuple[tuple[int, int], ...] = ()) -> list[Reading]:
    pipeline = Pipeline(Squares(), WholePicture())
    pictures = [picture(resting, number) for number in range(30)]
    pictures += [with_palm(number, dice, resting) for number in range(7 + STAYS + 30)]
    return [pipeline.step(Frame(one, number / 30, number)) for number, one in enumerate(pictures)]


@pytest.mark.slow
@pytest.mark.parametrize("resting", [(), ((560, 420),)])
def test_dice_shown_in_an_open_hand_are_neither_read_nor_rolled(resting: tuple[tuple[int, int], ...]) -> None:
    """Bug: in all of eight films they were read and counted as rolled."""
    readings = watched(IN_IT, resting)
    assert all(len(reading.dice) == len(resting) for reading in readings if reading.settled)
    assert len({round(reading.rolls) for reading in readings if reading.settled}) == 1


@pytest.mark.parametrize("held", [1.9, -np.inf])
def test_a_die_seen_in_a_hand_goes_with_it(held: float) -> None:
    """Bug: after the hand had closed, the die counted as resting where the hand had been."""
    cover, box, chances = Cover(), (300.0, 200.0, 340.0, 240.0), (0.95, *(0.01,) * 5)
    die = TrackedDie(
        1, box, existence=6.0, confirmed=True, rest_box=box, probabilities=chances, last_in_hand=held, last_motion=2.0
    )
    tracker = Tracker()
    memory = RestMemory(tracker, cover)
    cover.step([(250.0, 150.0, 400.0, 300.0)], (640, 480), 1.9)
    assert memory.out_of_sight([SeenDie(1, box, chances, kept=False)], (), 1.9) == ()
    cover.step([(250.0, 150.0, 400.0, 300.0)], (640, 480), 2.0)
    die.hidden_since = die.busy_since = 2.0
    tracker.hidden.append(die)
    assert len(memory.out_of_sight([], (), 2.0)) == (held < 0)


@pytest.mark.parametrize("rolls", [True, False])
def test_a_die_that_rolls_into_a_shadow_is_in_no_hand(rolls: bool) -> None:
    """Bug: nothing was read while a hand's shadow was there."""
    tracker, shadow = Tracker(), (100.0, 100.0, 300.0, 300.0)
    reader = Reader(tracker, lambda boxes, others: np.ones(len(boxes), np.float32))
    for number in range(30):
        left = max(180.0, 480.0 - 30 * number) if rolls else 180.0
        box = (left, 180.0, left + 40.0, 220.0)
        if rolls or number >= 10:
            tracker.update(seen(box), number / 15)
        dice = tuple((die, TableZone.ROLLING) for die in tracker.dice if die.believed)
        reader.read(ReaderInput(dice, Activity((box,), (shadow,)), True, (640, 480), number, number / 15))
    assert tracker.dice[0].in_hand(29 / 15) != rolls


@pytest.mark.slow
def test_dice_resting_there_before_the_hand_came_are_not_in_it() -> None:
    readings = watched((), DICE)
    assert readings[-1].settled
    assert len(readings[-1].dice) == len(DICE)
    assert len({round(reading.rolls) for reading in readings if reading.settled}) == 1


def test_fingers_at_the_edge_are_a_hand_when_they_have_moved_along_it() -> None:
    """Bug: at the edge of the frame only fingers are visible, so dice set aside there counted as rolled."""
    gate = MotionGate()
    shown(gate, [table(seed=n) for n in range(20)])
    arm = [table(hand=260 - 20 * n, seed=n) for n in range(13)]
    scenes = shown(gate, arm, 20 / 30)
    assert all(scene.hands for scene in scenes[:12])


def test_a_die_that_appears_after_the_hand_left_without_motion_was_put_down() -> None:
    tracker = Tracker()
    tracker.update(seen((100.0, 100.0, 140.0, 140.0)), 1.0)
    tracker.dice[0].last_motion = 0.7  # the hand was there until then
    moving = [(90.0, 90.0, 120.0, 120.0)]
    tracker.count_rolls(lambda box, far, when: when <= 0.7, moving)
    assert tracker.dice[0].rolling_passes == 0


def test_a_die_partly_covered_by_fingers_gets_its_whole_box_back() -> None:
    """Bug: after a hand had turned a die, its box stayed the part that had been visible meanwhile."""
    tracker = Tracker()
    part, others = (490.0, 216.0, 516.0, 246.0), ((100.0, 100.0, 142.0, 152.0), (200.0, 100.0, 242.0, 152.0))
    for number in range(6):
        tracker.update(seen(part, *others), number / 30)
    assert len(tracker.single(seen((485.0, 217.0, 527.0, 269.0)))) == 1


def test_a_die_beside_its_old_place_may_have_been_turned() -> None:
    """Bug: at ten frames a second, a die turned between two frames was reported with its old face."""
    tracker = Tracker()
    reader = Reader(tracker, lambda boxes, others: np.zeros(len(boxes), np.float32))
    for number in range(20):
        left = 100.0 + 12 * (number >= 15)
        tracker.update(seen((left, 100.0, left + 40.0, 140.0), value=6 if number < 15 else 2), number / 10)
        dice = tuple((die, TableZone.ROLLING) for die in tracker.dice if die.believed)
        reading = reader.read(ReaderInput(dice, Activity((), ()), False, (640, 480), number, number / 10))
    assert reading.dice[0].value == 2
