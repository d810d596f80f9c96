"""A refined pass looks for dice that a hand had hidden, and does not confuse them with others."""

from __future__ import annotations

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
