"""Dice printed on cards are not read during a game either: while a player holds the dice, they are alone in the
frame."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from tests.vision.squares import DICE, Squares, filmed, picture
from vision.dice.detections import Detections, joined
from vision.dice.nms import SURE_OF_SIZE, usual_side
from vision.dice.print_filter import odds_printed, printed
from vision.dice.print_memory import SIZE_KNOWN_SECONDS, PrintMemory
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.tracking.motion import MotionGate
from vision.tracking.scheduler import Scheduler
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Frame

SMALL = (500.0, 60.0, 518.0, 78.0)  # half as large as the dice


def squares(*sides: float) -> np.ndarray:
    return np.array([(100 * i, 0, 100 * i + side, side) for i, side in enumerate(sides)], np.float32)


class BesideCards(Squares):
    """Always finds a square half as large as the dice, which is likely printed; the dice are not."""

    def __init__(self, ink: float) -> None:
        super().__init__()
        self._ink = ink

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        found = replace(found, ink=np.full(len(found), 1e-4))
        if image.shape[1] < 640:
            return found  # a piece of the picture, without the card
        sure = np.array([[0.01, 0.95, 0.01, 0.01, 0.01, 0.01]], np.float32)
        return joined(found, Detections(np.array([SMALL]), sure, np.ones(1), ink=np.full(1, self._ink)))

    def read(self, image, boxes) -> Detections:
        seen = super().read(image, boxes)
        small = np.abs(boxes.reshape(-1, 4) - SMALL).max(axis=1, initial=0) < 5
        return replace(seen, scores=np.where(small, np.float32(1), seen.scores))

    def ink(self, image, boxes) -> np.ndarray:
        small = np.abs(boxes.reshape(-1, 4) - SMALL).max(axis=1, initial=0) < 5
        return np.where(small, np.float32(self._ink), np.float32(1e-4))


def test_a_die_in_a_zone_of_cards_counts_as_printed() -> None:
    """Bug: while dice were due, a die printed on a card was taken for one of them, so the next turn was not
    recorded."""
    pipeline = Pipeline(Squares(), WholePicture())
    x, y = DICE[0]
    zone = [(x - 60, y - 60), (x + 60, y - 60), (x + 60, y + 60), (x - 60, y + 60)]
    pipeline.cards = [tuple((across / 640, down / 480) for across, down in zone)]
    assert filmed(pipeline, lambda n: DICE, 0, 45).active == (4, 4)


def test_a_printed_die_is_not_read_while_a_player_holds_the_dice() -> None:
    """Bug: while the next player held the dice, a 2 half as large, printed on a card, was recorded as the next roll."""
    pipeline = Pipeline(BesideCards(ink=0.5), WholePicture())
    assert filmed(pipeline, lambda n: DICE, 0, 45).active == (4, 4, 4)
    assert filmed(pipeline, lambda n: (), 45, 150).dice == (), (
        "they were not seen leaving, so they are looked for a while"
    )


def test_a_printed_die_read_before_the_first_roll_is_rejected_once_dice_of_another_size_rest() -> None:
    pipeline = Pipeline(BesideCards(ink=0.5), WholePicture())
    assert len(filmed(pipeline, lambda n: (), 0, 45).dice) == 1, "alone it may be a die in bad light"
    assert filmed(pipeline, lambda n: DICE, 45, 60).active == (4, 4, 4)


class Unveiled(BesideCards):
    """Later passes no longer find the square, but would take it for a die, and printed."""

    later = False

    def detect(self, image, *, thorough: bool = False) -> Detections:
        look = Squares.detect if self.later else BesideCards.detect
        return look(self, image, thorough=thorough)


def test_a_printed_die_half_as_large_is_not_read_beside_rolling_dice_however_little_it_looks_printed() -> None:
    """Bug: the first passes took a new card's printed die for a die, and it stayed one until a refined pass without
    hands and rolling dice."""
    detector = Unveiled(ink=0.01)
    pipeline = Pipeline(detector, WholePicture())

    def rolling(number: int, frames: int) -> int:
        return len(filmed(pipeline, lambda n: (*DICE, (620 - 6 * (number + n), 420)), number, frames).dice)

    assert rolling(0, 15) == 4
    detector.later, detector._ink = True, 0.95
    assert rolling(15, 30) == 4


class FindsSmall(Squares):
    """Also finds squares smaller than the dice, which do not look printed."""

    least_area = 250

    def ink(self, image, boxes) -> np.ndarray:
        return np.full(len(boxes), 0.001, np.float32)


def test_a_smaller_die_that_is_surely_not_printed_is_read() -> None:
    pipeline = Pipeline(FindsSmall(), WholePicture())
    for number in range(45):
        seen = picture(DICE, number)
        seen[60:84, 500:524] = 235  # two thirds of the dice's width
        reading = pipeline.step(Frame(seen, number / 30, number))
    assert len(reading.dice) == 4


def test_the_size_of_the_dice_is_estimated_from_the_most_certain_ones() -> None:
    side, sure = usual_side(squares(97, 52, 51, 57), np.array([0.04, 0.0005, 0.0005, 0.0005], np.float32))
    assert 51 <= side <= 57
    assert sure > SURE_OF_SIZE
    assert usual_side(squares(97), np.array([0.04], np.float32))[1] < SURE_OF_SIZE, "one alone may be a card"
    assert usual_side(squares(97, 30), np.array([0.4, 0.9], np.float32)) == (0, 0)
    assert usual_side(squares(), np.zeros(0, np.float32)) == (0, 0)


def test_where_the_size_of_the_dice_is_known_beforehand_none_need_be_seen() -> None:
    ink = np.array([0.5, 0.5, 0.85, 0.15], np.float32)
    assert (odds_printed(squares(26, 40, 40, 20), ink, 40.0, 20.0) >= 0).tolist() == [True, False, True, True]
    assert not printed(squares(26, 40), ink[:2]).any(), "known by nothing"


def test_the_size_of_dice_is_forgotten_because_the_camera_may_have_moved() -> None:
    chances = np.full((3, 6), 1 / 6, np.float32)
    seen = Detections(squares(40, 41, 42), chances, np.ones(3), ink=np.full(3, 1e-4))
    far = Detections(squares(20), chances[:1], np.ones(1), ink=np.full(1, 0.5))
    size = PrintMemory()
    assert len(size.without_printed(far, 0.0)) == 1, "nothing is known yet"
    assert len(size.without_printed(seen, 10.0)) == 3
    assert len(size.without_printed(far, 11.0)) == 0
    assert len(size.without_printed(far, 10.0 + SIZE_KNOWN_SECONDS)) == 1
    size.without_printed(seen, 400.0, refined=True)
    size.forget()
    assert len(size.without_printed(far, 401.0)) == 1


def test_a_surely_printed_die_is_not_read_before_any_real_one() -> None:
    """Bug: three dice are too few to estimate their size, so a surely printed die counted as another one."""
    seen = Detections(squares(40, 41), np.full((2, 6), 1 / 6, np.float32), np.ones(2), ink=np.array([0.999, 0.3]))
    assert len(PrintMemory().without_printed(seen, 0.0)) == 1


@pytest.mark.parametrize(
    ("ink", "around", "dice"),
    [(0.1, 0.9, 3), (0.1, 0.0, 4), (0.1, np.nan, 4), (0.001, 0.9, 4), (0.8, 0.0, 4), (0.999, 0.0, 3)],
    ids=[
        "with a card",
        "alone",
        "unknown",
        "surely a die, on a tray",
        "alone, perhaps print",
        "print, on a token",
    ],
)
def test_an_area_that_changed_around_a_die_with_it_speaks_for_print(ink: float, around: float, dice: int) -> None:
    def new_around(boxes: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shares = np.where(boxes[:, 0] >= 300, around, 0.0).astype(np.float32)
        return shares, np.zeros(len(boxes), np.bool_)

    memory = PrintMemory(None, new_around)
    per_die = np.array([*[1e-4] * 3, ink], np.float32)
    seen = Detections(squares(40, 41, 42, 40), np.full((4, 6), 1 / 6, np.float32), np.ones(4), ink=per_die)
    assert len(memory.without_printed(seen, 1.0)) == dice
    assert len(memory.without_printed(seen, 2.0)) == dice


class OnACard(Squares):
    """White squares look like dice rather than print."""

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        return replace(found, ink=self.ink(image, found.xyxy))

    def ink(self, image, boxes) -> np.ndarray:
        return np.full(len(boxes), 0.1, np.float32)


@pytest.mark.parametrize(("card", "seen"), [(False, 4), (True, 3)])
def test_a_die_printed_on_a_new_card_is_not_read(card: bool, seen: int) -> None:
    """Bug: it was read as a rolled die as the hand left, until the next refined pass."""
    pipeline = Pipeline(OnACard(), WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 45)
    for number in range(45, 75):
        image = picture((*DICE, (520, 380)), number)
        if card:
            image[290:470, 440:600] = np.where(image[290:470, 440:600] > 200, 235, (30, 30, 120))
        reading = pipeline.step(Frame(image, number / 30, number))
    assert reading.settled
    assert len(reading.dice) == seen


class Surrounded:
    """Something new surrounds every die."""

    def __init__(self, hand: bool) -> None:
        self.hand = hand

    def new_around(self, boxes: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(len(boxes), np.float32), np.full(len(boxes), self.hand)


@pytest.mark.parametrize(("hand", "left"), [(True, 1), (False, 0)])
def test_a_hand_over_a_resting_die_is_not_the_card_it_is_printed_on(hand: bool, left: int) -> None:
    """Bug: a hand that came to rest over a die that had never been seen alone was taken for a new card, and the die was
    lost."""
    tracker = Tracker()
    tracker.dice.append(TrackedDie(1, (280.0, 180.0, 320.0, 220.0), existence=5.0))
    scheduler = Scheduler(OnACard(), cast(MotionGate, Surrounded(hand)), tracker)
    scheduler._without_printed(picture((), 0), 1.0)
    assert len(tracker.dice) == left


def test_the_size_of_one_die_alone_says_little_about_another() -> None:
    """Bug: the farther of two dice was half as wide as the nearer one, and counted as printed."""
    assert not printed(squares(26, 15), np.array([1e-4, 0.07], np.float32)).any()
    assert printed(squares(26, 27, 25, 26, 27, 15), np.array([*[1e-4] * 5, 0.07], np.float32)).tolist()[-1]


def looked_at(*inks: float) -> list[int]:
    """Number of dice reported after each of these passes, among three dice and a fourth square."""
    size, chances = PrintMemory(), np.full((4, 6), 1 / 6, np.float32)
    per_die = [np.array([*[1e-4] * 3, ink], np.float32) for ink in inks]
    seen = [Detections(squares(40, 41, 42, 40), chances, np.ones(4), ink=ink) for ink in per_die]
    return [len(size.without_printed(one, 1.0)) for one in seen]


def test_an_unsure_pass_does_not_make_a_printed_die_real() -> None:
    """Bug: every tenth pass was unsure of a printed die, which then counted as rolled."""
    assert looked_at(0.9, 0.3, 0.9, 0.3) == [3, 3, 3, 3]


def test_one_wrong_pass_does_not_make_a_real_die_printed() -> None:
    """Bug: a hand passed over a row of dice, one pass took one of them for print, and it was not read any more."""
    assert looked_at(0.4, 0.4, 0.92, 0.4) == [4, 4, 4, 4]


def test_a_die_where_print_was_seen_is_decided_by_the_passes_over_it() -> None:
    assert looked_at(0.9, 0.3, 0.05, 0.3) == [3, 3, 4, 4]


def test_all_passes_outweigh_that_a_die_seemed_to_come_with_a_card() -> None:
    """Bug: the area that a leaving hand uncovered counted as a card that had come with the die beside it."""
    came = [1.0]

    def new_around(boxes: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.full(len(boxes), came.pop() if came else np.nan), np.zeros(len(boxes), np.bool_)

    memory, boxes = PrintMemory(None, new_around), squares(40.0)
    chances = np.full((1, 6), 1 / 6, np.float32)
    inks = [0.05, *[3e-4] * 8]  # at first something still covers a part of it
    seen = [Detections(boxes, chances, np.ones(1), ink=np.full(1, ink)) for ink in inks]
    left = [len(memory.without_printed(found, number / 10)) for number, found in enumerate(seen)]
    assert left == [0, 0, *[1] * 7]
