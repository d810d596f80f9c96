"""A die cut by the picture's edge is reported."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.commands.print_readings import demo_clip, load_detector
from tests.vision.squares import DICE, Squares, picture
from vision import messages
from vision.dice.detections import Detections
from vision.messages import Doubt
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.tracking.partly_outside import PartlyOutside, cut_boxes, half_outside, without_halves
from vision.tracking.small_picture import Small
from vision.types import Frame, Image, Motion, Reading

SIZE = (640, 480)
PICTURE = np.zeros((480, 640, 3), np.uint8)


@pytest.mark.parametrize(
    ("box", "cut"),
    [
        ((0, 200, 40, 260), True),
        ((600, 200, 640, 260), True),
        ((300, 0, 360, 40), True),
        ((300, 440, 360, 480), True),
        ((3, 200, 63, 260), False),
        ((300, 200, 360, 260), False),
        ((0, 200, 12, 222), False),  # too small for a die of this table
        ((0, 100, 200, 300), False),
    ],
)
def test_only_boxes_cut_by_the_edge_count(box: tuple[float, ...], cut: bool) -> None:
    assert bool(list(cut_boxes(np.array([box], np.float32), SIZE, die=60.0))) is cut


@pytest.mark.parametrize(
    ("box", "half"),
    [
        ((0, 200, 30, 260), True),
        ((610, 200, 640, 260), True),
        ((300, 0, 360, 30), True),
        ((300, 450, 360, 480), True),
        ((0, 200, 50, 260), False),
        ((0, 200, 60, 230), False),  # only its top face
        ((5, 200, 35, 260), False),
    ],
)
def test_boxes_that_the_edge_halves_are_recognised(box: tuple[float, ...], half: bool) -> None:
    assert half_outside(np.array([box], np.float32), SIZE).tolist() == [half]


def test_half_a_die_at_the_edge_is_not_read() -> None:
    """Bug: a one of which half was in the picture was read as a two, because readers see it continued by its mirror
    image."""
    pipeline = Pipeline(Squares(), WholePicture())
    for number in range(30):
        seen = pipeline.step(Frame(picture((*DICE, (639, 240)), number), number / 30, number))
    assert seen.settled
    assert len(seen.dice) == len(DICE)


def test_a_die_that_a_knock_moved_to_the_edge_is_still_read() -> None:
    box = np.array([(0, 426, 17, 453)], np.float32)
    found = Detections(box, np.full((1, 6), 1 / 6, np.float32), np.ones(1))
    for known, left in (((-10.0, 426.0, 17.0, 453.0), 1), ((60.0, 426.0, 90.0, 453.0), 0)):
        assert len(without_halves(found, SIZE, [known])) == left


class Finder:
    """Sees one cut die."""

    def __init__(self) -> None:
        self.asked = 0

    def candidates(self, image: Image, *, least: float) -> tuple[np.ndarray, np.ndarray]:
        self.asked += 1
        return np.array([[600, 200, 640, 260]], np.float32), np.array([0.9], np.float32)


def reading(settled: bool = True, doubt: Doubt | None = None) -> Reading:
    return Reading((), settled, 0, Motion.STABLE, 1, 0.0, doubt=doubt)


def test_a_settled_table_is_checked_once_in_its_second_frame_and_again_after_a_change_near_the_edge() -> None:
    finder = Finder()
    watch = PartlyOutside(finder, lambda box, size: True)
    settled = (True, True, True, False, True, True)
    edge, middle = PICTURE.copy(), PICTURE.copy()
    edge[200:260, 600:], middle[200:260, 300:340] = 255, 255
    shown = (PICTURE, PICTURE, PICTURE, edge, edge, edge)
    said = [
        watch.checked(reading(one), image, Small.of(image), 60.0).doubt
        for one, image in zip(settled, shown, strict=True)
    ]
    assert said == [None, messages.CUT_DIE, messages.CUT_DIE, None, None, messages.CUT_DIE]
    assert finder.asked == 2
    for image in (edge | middle, edge, edge | middle):
        for one in settled:
            watch.checked(reading(one), image, Small.of(image), 60.0)
    assert finder.asked == 2, "nothing has changed near the edge"


def test_other_doubts_come_first_and_dice_that_do_not_count_are_not_spoken_of() -> None:
    hand = Doubt(messages.HAND)
    for counts, one, said in ((True, reading(doubt=hand), hand), (False, reading(), None)):
        watch = PartlyOutside(Finder(), lambda box, size, counts=counts: counts)
        assert [watch.checked(one, PICTURE, Small.of(PICTURE), None).doubt for _ in range(2)] == [said, said]


def test_the_camera_says_that_a_die_is_partly_outside_its_picture() -> None:
    film = cv2.VideoCapture(demo_clip())
    film.set(cv2.CAP_PROP_POS_FRAMES, 90)
    whole = np.asarray(film.read()[1], np.uint8)
    detector = load_detector()
    boxes = detector.detect(whole).xyxy
    left, _, right, _ = boxes[boxes[:, 2].argmax()]
    for shown, said in ((1.5, None), (0.75, messages.CUT_DIE)):
        picture = np.ascontiguousarray(whole[:, : int(left + shown * (right - left))])
        pipeline = Pipeline(detector)
        for number in range(8):
            seen = pipeline.step(Frame(picture, number / 10, number))
        assert seen.settled
        assert seen.doubt == said
