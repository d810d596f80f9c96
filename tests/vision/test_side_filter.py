"""Sides and shadows of dice are no dice, however surely they are read; a die behind or in front of another is one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.passes import at, one
from tests.vision.squares import DICE, Squares, filmed
from vision.dice.detections import Detections, joined
from vision.dice.side_filter import side_mask
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture

WIDTH = 44.0  # of the other dice on that table, pixels


def table(*boxes: tuple[tuple[int, int, int, int], int]) -> tuple[np.ndarray, np.ndarray]:
    """A picture with boxes of these brightnesses, and the boxes."""
    image = np.full((240, 320, 3), 90, np.uint8)
    for (left, top, right, low), light in boxes:
        image[top:low, left:right] = light
    return image, np.array([box for box, _ in boxes], np.float32)


def of(*boxes: tuple[tuple[int, int, int, int], int]) -> list[bool]:
    image, xyxy = table(*boxes)
    return side_mask(image, xyxy, np.ones(len(xyxy), np.float32), WIDTH).tolist()


@pytest.mark.parametrize(
    ("top", "side"),
    [
        ((100, 60, 136, 92), (96, 90, 134, 137)),  # the box of the die holds no more than its top; that of the side …
        ((100, 60, 137, 103), (115, 83, 155, 115)),  # … its shadow too; or both together are hardly larger than a die
    ],
)
def test_a_dark_side_right_below_a_bright_top_is_no_die(
    top: tuple[int, int, int, int], side: tuple[int, int, int, int]
) -> None:
    """Bug: the sides of white dice under a lamp were surely read as dice, even by refined passes."""
    assert of((top, 240), (side, 60)) == [False, True]


def test_a_dark_die_in_front_of_a_white_one_is_a_die() -> None:
    assert of(((100, 60, 144, 104), 240), ((98, 96, 142, 140), 60)) == [False, False]


def test_a_die_as_bright_as_the_one_behind_it_is_a_die_however_little_of_that_is_seen() -> None:
    assert of(((100, 60, 136, 90), 240), ((98, 84, 140, 128), 230)) == [False, False]


def test_dice_of_unknown_width_are_not_sides() -> None:
    image, xyxy = table(((100, 60, 136, 92), 240), ((96, 90, 134, 137), 60))
    assert not side_mask(image, xyxy, np.ones(2, np.float32), 0.0).any()
    assert side_mask(image, xyxy[:0], np.ones(0, np.float32), WIDTH).shape == (0,)


class SeesSides(Squares):
    """Fast passes take the side of the first die for another die."""

    SIDE = (130.0, 120.0, 166.0, 156.0)  # its middle is in the box of the die
    there = 1.0  # chance of its being a die, where it is read

    def __init__(self, sure: float) -> None:
        super().__init__()
        self.sure = sure

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        return found if thorough else joined(found, one(self.SIDE, 3, self.sure))

    def read(self, image, boxes) -> Detections:
        seen = super().read(image, boxes)
        side = at(self.SIDE, boxes)
        chances = np.where(side[:, None], one(self.SIDE, 3, self.sure).probabilities, seen.probabilities)
        return Detections(seen.xyxy, chances, np.where(side, np.float32(self.there), seen.scores))


@pytest.mark.parametrize("sure", [0.73, 0.99])
def test_a_side_that_a_refined_pass_does_not_find_is_dropped(sure: float) -> None:
    """Bug: pips on a dark side were read as a 3, half a die below the 3 on top, and no pass rejected it because the
    real die covered its place."""
    assert filmed(Pipeline(SeesSides(sure), WholePicture()), lambda n: DICE, 0, 40).active == (4, 4, 4)


class SeesOneMore(Squares):
    """Refined passes also see a nearly sure die in this place, with a readable face."""

    def __init__(self, place: tuple[float, float, float, float]) -> None:
        super().__init__()
        self.more = one(place, 3, 0.94)

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        return joined(found, self.more) if thorough else found

    def read(self, image, boxes) -> Detections:
        seen = super().read(image, boxes)
        more = at(tuple(self.more.xyxy[0]), boxes)
        chances = np.where(more[:, None], self.more.probabilities, seen.probabilities)
        return Detections(seen.xyxy, chances, np.where(more, np.float32(1.0), seen.scores))


@pytest.mark.parametrize(
    ("place", "read"),
    [
        ((144.0, 116.0, 180.0, 152.0), (4, 4, 4)),  # beside the first die and below its top: its shadow, or its side
        ((135.0, 86.0, 171.0, 122.0), (3, 4, 4, 4)),  # behind it, nearly half hidden: a die
    ],
)
def test_a_box_that_overlaps_a_surer_die_by_half_is_a_die_only_behind_it(
    place: tuple[float, float, float, float], read: tuple[int, ...]
) -> None:
    """Bug: a refined pass read a side and its shadow as a second die; but of two touching black dice, it rejected the
    rear one as a side."""
    assert filmed(Pipeline(SeesOneMore(place), WholePicture()), lambda n: DICE, 0, 40).active == read


class SideSeemsADie(SeesSides):
    """During a roll the side of one die is taken for another; its place can always be read as a die."""

    SIDE = (135.0, 120.0, 165.0, 164.0)
    there = 0.9
    rolling = True

    def detect(self, image, *, thorough: bool = False) -> Detections:
        return super().detect(image, thorough=thorough or not self.rolling)


def test_a_side_taken_for_a_die_is_dropped_even_if_it_can_be_read() -> None:
    """Bug: the side was seen three times during the roll, and then read as long as the die rested."""
    detector = SideSeemsADie(0.8)
    pipeline = Pipeline(detector, WholePicture())

    def dice(number: int) -> list[tuple[int, int]]:
        """Places of two dice in a frame: one comes to rest while the other rolls on, so no refined pass runs."""
        return [(150, max(120, 200 - 10 * number)), (200 + 8 * number, 300)]

    seen = filmed(pipeline, dice, 0, 16)
    assert any(die.value == 3 for die in seen.dice)
    detector.rolling = False
    seen = filmed(pipeline, lambda number: dice(16 + number), 16, 24)
    assert [die.value for die in seen.dice] == [4, 4]
