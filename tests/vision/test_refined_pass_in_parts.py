"""A refined pass is spread over several frames, delays no frame, and misses nothing that happens meanwhile."""

from __future__ import annotations

import cv2
import pytest

from tests.vision.squares import DICE, Squares, picture
from vision.dice.detections import Detections
from vision.dice.parts import Parts
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.tracking.motion import Activity
from vision.tracking.scheduler import Refining
from vision.types import Frame

PARTS = 5


class Slow(Squares):
    """Only a refined pass finds the dice, in several parts of 20 ms."""

    def __init__(self, count: int = PARTS) -> None:
        super().__init__()
        self.count = count
        self.parts: list[int] = []  # of each frame

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        return found if thorough else Detections.none()

    def detect_once(self, image) -> Detections:
        return self.detect(image, thorough=True)

    def read(self, image, boxes, *, thorough: bool = False) -> Detections:
        return super().read(image, boxes)

    def refined(self, image, *, agreed: bool = False, low: float = 0.0) -> Parts[Detections]:
        for _ in range(self.count):
            yield 0.02
            self.parts[-1] += 1
        return self.detect(image, thorough=True)


def watched(detector: Slow, shown, frames: int, rate: float = 30.0) -> list:
    """The readings of this many frames; `shown` makes the picture of each number."""
    pipeline = Pipeline(detector, WholePicture())
    readings = []
    for number in range(frames):
        detector.parts.append(0)
        readings.append(pipeline.step(Frame(shown(number), number / rate, number)))
    return readings


@pytest.mark.parametrize(("rate", "most"), [(30.0, 2), (8.0, 3), (0.5, PARTS)])
def test_a_frame_runs_only_as_much_of_a_pass_as_fits_before_the_next_frame(rate: float, most: int) -> None:
    detector = Slow()
    readings = watched(detector, lambda n: picture(DICE, n), 40, rate)
    assert readings[-1].settled
    assert readings[-1].active == (4, 4, 4)
    assert max(detector.parts) == most


LONG = 30  # parts: one that would take a second


def begin_of_a_long_pass() -> int:
    """The first frame of a long pass, in which nothing moves."""
    detector = Slow(LONG)
    watched(detector, lambda n: picture(DICE, n), 20)
    return next(number for number, count in enumerate(detector.parts) if count)


def test_a_pass_is_finished_at_once_when_a_hand_comes() -> None:
    """Otherwise a player in a hurry takes the dice before they are read."""
    detector, begun = Slow(LONG), begin_of_a_long_pass()

    def shown(number: int):
        image = picture(DICE, number)
        if number > begun + 2:
            cv2.rectangle(image, (0, 330 + 30 * (number % 3)), (640, 480), (90, 120, 200), -1)
        return image

    watched(detector, shown, begun + 12)
    assert max(detector.parts) > LONG / 2


def test_a_pass_that_begins_beside_a_hand_takes_no_frame_longer_than_another() -> None:
    """Bug: such a pass ran all its parts in its first frame, up to 110 ms after the search of that frame."""
    parts = iter([0.02] * PARTS)
    refining, hand = Refining(picture(DICE, 0), (part for part in parts)), Activity(hands=((0, 0, 90, 90),))
    assert not refining.due_now(picture(DICE, 0), hand)
    assert refining.go_on(1 / 30) is None
    assert len([*parts]) >= PARTS - 3
    assert refining.due_now(picture(DICE, 1), hand), "the rest is due in the next frame"


def test_a_pass_over_dice_that_move_on_is_given_up() -> None:
    """The result of the pass would put the dice back into their old places."""
    detector, begun = SlowOnWhatIsThere(LONG), begin_of_a_long_pass()

    def shown(number: int):
        return picture([(x + min(max(0, 9 * (number - begun - 3)), 90), y) for x, y in DICE], number)

    readings = watched(detector, shown, begun + 80)
    assert readings[-1].settled
    assert readings[-1].active == (4, 4, 4)
    assert detector.begun - detector.done == 1


class SlowOnWhatIsThere(Slow):
    """Fast passes find the dice too."""

    begun = done = 0

    def detect(self, image, *, thorough: bool = False) -> Detections:
        return Squares.detect(self, image, thorough=thorough)

    def refined(self, image, *, agreed: bool = False, low: float = 0.0) -> Parts[Detections]:
        self.begun += 1
        found = yield from super().refined(image, agreed=agreed)
        self.done += 1
        return found


def test_resting_dice_are_not_read_while_a_pass_over_them_runs() -> None:
    """The refined pass reads them better than a fast pass in every frame."""
    detector = SlowOnWhatIsThere(LONG)
    pipeline, reads = Pipeline(detector, WholePicture()), list[int]()
    for number in range(60):
        detector.parts.append(0)
        detector.reads = 0
        pipeline.step(Frame(picture(DICE, number), number / 30, number))
        reads.append(detector.reads)
    during = [number for number, count in enumerate(detector.parts) if count][1:-1]
    assert during
    assert not any(reads[number] for number in during)
