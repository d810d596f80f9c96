"""A refined pass looks for dice that a hand had hidden, and does not confuse them with others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.squares import DICE, Squares, filmed, picture
from vision.dice.detections import Detections, chosen
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.types import Frame


class Merges(Squares):
    """From some time on, the first die is merged with its neighbour, but can still be read."""

    merged = False

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        return chosen(found, ~(self.merged & (np.abs(found.xyxy[:, 0] - 132) < 5)))


def test_a_die_that_a_hand_had_hidden_is_read_in_its_old_place_though_it_is_not_found() -> None:
    """Bug: after a hand had passed over two touching dice, they were found as one."""
    detector = Merges()
    pipeline = Pipeline(detector, WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 40)
    detector.merged = True
    for number in range(40, 60):
        seen = picture(DICE, number)
        seen[:, : 200 + number % 7 * 5] = 30
        pipeline.step(Frame(seen, number / 30, number))
    reading = filmed(pipeline, lambda n: DICE, 60, 60)
    assert reading.settled
    assert reading.active == (4, 4, 4)


def test_a_die_rolled_beside_a_remembered_one_is_not_taken_for_it() -> None:
    """Bug: a remembered die under a hand was read at a rolled die of the same value a third of a die away, so it jumped
    there and was never read."""
    pipeline = Pipeline(Squares(), WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 40)
    left, top, right, low = pipeline._tracker.dice[0].box
    remembered = replace(pipeline._tracker.dice[0], box=(left - 12, top, right - 12, low), hidden_since=1.0)
    pipeline._tracker.hidden.append(remembered)
    assert len(pipeline._scheduler.refined._with_hidden(picture(DICE, 40), Detections.none())) == 0
