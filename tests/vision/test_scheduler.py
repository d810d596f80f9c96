"""How often the networks run: a search during changes, reading of known places, one refined pass per rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.resources import resource
from tests.kit.evaluation.live import measure, report
from tests.vision.squares import DICE, Squares, filmed
from vision.dice.detections import Detections
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.tracking.constants import RESTING_PASSES
from vision.tracking.scheduler import is_settled
from vision.tracking.tracked_die import TrackedDie


def test_a_table_on_which_nothing_changes_is_searched_once_a_second_and_read_no_oftener() -> None:
    detector = Squares()
    pipeline = Pipeline(detector, WholePicture())
    reading = filmed(pipeline, lambda n: DICE, 0, 60)
    assert reading.settled
    assert reading.active == (4, 4, 4)
    before = len(detector.searched), len(detector.refined_sizes)
    filmed(pipeline, lambda n: DICE, 60, 60)
    assert len(detector.searched) - before[0] <= 3
    assert len(detector.refined_sizes) == before[1]


def test_dice_at_rest_get_one_refined_pass_in_their_places() -> None:
    detector = Squares()
    pipeline = Pipeline(detector, WholePicture())
    filmed(pipeline, lambda n: DICE[:1], 0, 45)
    assert detector.refined_sizes == [(640, 480)], "all of the picture the first time"
    detector.searched.clear()
    rolling = 20
    reading = filmed(pipeline, lambda n: (DICE[0], (600 - 10 * min(n, rolling), 380)), 45, 60)
    assert (reading.active, reading.kept) == ((4,), (4,)), "one rolled, the other did not"
    assert len(detector.refined_sizes) == 2
    width, height = detector.refined_sizes[1]
    assert width * height < 0.75 * 640 * 480
    assert len(detector.searched) <= rolling / 2 + 6, "every second picture while it rolls"


@pytest.mark.slow
def test_the_bench_counts_frames_and_passes_of_the_bundled_clip() -> None:
    clip = resource("datasets", "bench", "table30.mp4")
    gated, every = (measure(clip, Squares(), every_frame=every, video_seconds=2.0) for every in (False, True))
    assert gated.frames == every.frames == 2 * 30 + 1 - 30, "the first thirty warm up"
    assert gated.passes < every.passes == 61
    assert "frames a second" in report(gated)


class MatTaken(Squares):
    """Takes the mat with its dice for one large die, as the finder once did."""

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        boxes = np.concatenate([found.xyxy, np.array([[60, 60, 460, 360]], np.float32)])
        return Detections(boxes, np.full((len(boxes), 6), 1 / 6, np.float32), np.ones(len(boxes), np.float32))


def test_a_mat_with_dice_on_it_is_not_one_large_die() -> None:
    """Bug: four dice on the printed mat were read as one 3, and dice of its size were searched for."""
    pipeline = Pipeline(MatTaken(), WholePicture())
    reading = filmed(pipeline, lambda n: DICE, 0, 45)
    assert len(reading.dice) == len(DICE)


class SeenAsOne(Squares):
    """From some frame on, fast passes see two touching dice as one of them and as one large die."""

    merges = False

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        if thorough or not self.merges:
            return found
        both = [*found.xyxy[:, :2].min(axis=0), *found.xyxy[:, 2:].max(axis=0)]
        return replace(found, xyxy=np.array([*found.xyxy[:-1], both], np.float32))


def test_a_die_that_a_pass_merges_with_its_neighbour_is_read_in_its_place() -> None:
    """Bug: the box around both dice was matched to one of them, which then seemed to have rolled."""
    detector = SeenAsOne()
    pipeline = Pipeline(detector, WholePicture())
    corner_to_corner = (DICE[1], (DICE[1][0] + 37, DICE[1][1] - 37))
    assert filmed(pipeline, lambda n: corner_to_corner, 0, 45).settled
    detector.merges = True
    for number in range(45, 135):
        reading = filmed(pipeline, lambda n: corner_to_corner, number, 1)
        assert round(reading.rolls) == 1
        assert [die.there > 0.99 for die in reading.dice] == [True, True]
        assert all(die.xyxy[2] - die.xyxy[0] < 40 for die in reading.dice)


def test_a_die_is_read_again_until_it_is_believed_to_show_what_a_refined_pass_has_read() -> None:
    """Bug: a die that a slow camera saw where another had rested kept the face of the other one."""
    die = TrackedDie(1, (0.0, 0.0, 40.0, 40.0), existence=2.0, still=RESTING_PASSES, unchanged=True, value=1)
    die.refined_logs = [-5.0, -5.0, -5.0, -0.1, -5.0, -5.0]
    assert not is_settled(die)
    die.value = 4
    assert is_settled(die)
