"""Dice are counted by third of the photo."""

from __future__ import annotations

import numpy as np

from tests.kit.evaluation.places import placed, places_table
from tests.kit.evaluation.scoring import Truth, compare
from vision.dice.detections import Detections


def test_a_misread_die_counts_where_it_is() -> None:
    boxes = np.array([[10, 10, 30, 30], [10, 140, 30, 160], [10, 270, 30, 290]], np.float32)
    chances = np.full((3, 6), 0.02, np.float32)
    chances[[0, 1, 2], [0, 1, 5]] = 0.9
    outcome = compare(Detections(boxes, chances, np.ones(3)), Truth(boxes, np.array([1, 2, 3])))
    rows = places_table([placed("a.jpg", outcome, 300)]).splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == ["upper third", "middle third", "lower third"]
    assert [row.split("|")[2].strip() for row in rows] == ["1", "1", "1"]
    assert [row.split("|")[4].strip() for row in rows] == ["0", "0", "1"]
    assert rows[2].split("|")[5].strip().startswith("100.0 %")
