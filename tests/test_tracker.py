"""The tracker: which places of dice are read again when a quick look misses them."""

from __future__ import annotations

import numpy as np

from vision.detections import Detections
from vision.tracker import Tracker


def seen(*boxes: tuple[float, float, float, float]) -> Detections:
    chances = np.full((len(boxes), 6), 0.02, np.float32)
    chances[:, 5] = 0.9
    return Detections(np.array(boxes, np.float32).reshape(-1, 4), chances, np.ones(len(boxes), np.float32))


ROLLING, AT_REST = (258.0, 82.0, 294.0, 123.0), (249.0, 69.0, 282.0, 102.0)


def test_a_place_a_die_rolled_through_is_not_read_again_beside_where_it_came_to_rest() -> None:
    tracker = Tracker()
    tracker.update(seen(ROLLING), 0.0)
    assert len(tracker.missing(seen(AT_REST))) == 0


def test_a_die_missed_by_a_quick_look_is_read_again_though_another_touches_it() -> None:
    tracker = Tracker()
    tracker.update(seen(ROLLING, (400, 82, 436, 123)), 0.0)
    beside = (258.0 + 33, 82.0, 294.0 + 33, 123.0)
    np.testing.assert_allclose(tracker.missing(seen(beside, (400, 82, 436, 123))), [ROLLING])
