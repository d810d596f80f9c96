"""Sources left out: labels that hold the top pips alone are compared with whole dice."""

import numpy as np

from scripts.left_out import whole_dice
from vision.dice.detections import Detections
from vision.dice.scoring import Outcome, Truth, compare


def outcome(boxes: list[list[float]], faces: list[int], labels: list[list[float]], shown: list[int]) -> Outcome:
    chances = np.full((len(faces), 6), 0.01, np.float32)
    chances[np.arange(len(faces)), np.array(faces) - 1] = 0.95
    seen = Detections(np.array(boxes, np.float32), chances, np.ones(len(faces), np.float32))
    truth = Truth(np.array(labels, np.float32), np.array(shown))
    return compare(seen, whole_dice(truth, seen))


def test_a_die_seen_from_the_side_is_found_by_the_box_its_top_pips_lie_in() -> None:
    """The single pip of a one is 12 pixels wide and lies far above the middle of its 80-pixel die."""
    one = outcome([[100, 100, 180, 200]], [1], [[134, 110, 146, 122]], [1])
    assert one.complete


def test_a_wrong_face_and_a_box_elsewhere_stay_wrong() -> None:
    assert len(outcome([[100, 100, 180, 200]], [4], [[134, 110, 146, 122]], [1]).wrong) == 1
    beside = outcome([[200, 100, 280, 200]], [1], [[134, 110, 146, 122]], [1])
    assert (len(beside.missed), len(beside.extra)) == (1, 1)


def test_pips_that_lie_in_two_boxes_belong_to_the_nearer_one_and_the_other_is_extra() -> None:
    both = outcome([[100, 100, 180, 200], [90, 80, 190, 160]], [2, 1], [[134, 110, 146, 122]], [1])
    assert both.extra == (0,)
    assert not both.wrong
