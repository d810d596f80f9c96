"""Comparison of readings with the truth: right, missed, wrong, extra and undetected."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.evaluation.scoring import (
    Tally,
    Truth,
    average_precision,
    compare,
    confusion,
    reliability,
    undetected_by_size,
    wilson,
)
from vision.dice.detections import Detections
from vision.dice.nms import suppress
from vision.dice.print_filter import printed, with_neighbours
from vision.dice.pyramid import ImagePyramid
from vision.dice.tiling import views
from vision.types import Box


def boxes(*places: tuple[float, float], side: float = 20) -> np.ndarray:
    return np.array([[x - side / 2, y - side / 2, x + side / 2, y + side / 2] for x, y in places], np.float32).reshape(
        -1, 4
    )


def seen(*dice: tuple[float, float, int, float]) -> Detections:
    """Dice as (x, y, face, confidence)."""
    rows = np.zeros((len(dice), 6), np.float32)
    for row, (_, _, face, chance) in zip(rows, dice, strict=True):
        row[:] = (1 - chance) / 5
        row[face - 1] = chance
    return Detections(boxes(*((x, y) for x, y, _, _ in dice)), rows, np.full(len(dice), 0.9, np.float32))


def truth(*dice: tuple[float, float, int]) -> Truth:
    return Truth(boxes(*((x, y) for x, y, _ in dice)), np.array([face for _, _, face in dice], np.int64))


def test_a_middle_in_the_box_enlarged_by_half_counts_and_one_beyond_does_not() -> None:
    assert compare(seen((114.9, 100, 5, 0.9)), truth((100, 100, 5))).complete
    beyond = compare(seen((115.1, 100, 5, 0.9)), truth((100, 100, 5)))
    assert beyond.missed == (0,)
    assert beyond.extra == (0,)


@pytest.mark.parametrize(("face", "corner", "beside"), [(1, 104, 1), (2, 104, 0), (1, 108, 0)])
def test_a_label_around_the_top_pip_alone_is_distinguished_from_a_missed_die(
    face: int, corner: int, beside: int
) -> None:
    pip = Truth(np.array([[corner, 92, corner + 4, 96]], np.float32), np.array([face], np.int64))
    outcome = compare(seen((100, 100, 1, 0.9)), pip)
    assert (outcome.missed, outcome.extra, outcome.beside) == ((0,), (0,), beside)


def test_each_die_is_paired_once_and_the_nearer_one_wins() -> None:
    outcome = compare(seen((103, 100, 2, 0.9), (100, 100, 5, 0.9)), truth((100, 100, 5)))
    assert outcome.pairs == ((0, 1),)
    assert outcome.extra == (0,)


def test_touching_dice_are_not_swapped() -> None:
    outcome = compare(seen((121, 100, 3, 0.9), (99, 100, 4, 0.9)), truth((100, 100, 4), (120, 100, 3)))
    assert outcome.complete


def test_a_sure_mistake_is_silent_and_an_unsure_one_asks() -> None:
    labels = truth((100, 100, 5), (200, 100, 5), (300, 100, 1))
    outcome = compare(seen((100, 100, 4, 0.95), (200, 100, 4, 0.5)), labels)
    tally = Tally.of([outcome])
    assert (tally.right, tally.wrong, tally.missed, tally.undetected, tally.asking) == (0, 2, 1, 1, 1)
    assert confusion([outcome])[4, 3] == 2
    assert confusion([outcome])[0, 6] == 1


def test_nothing_seen_on_an_empty_picture_is_complete() -> None:
    assert compare(Detections.none(), truth()).complete


def test_wilson_interval_of_a_textbook_case() -> None:
    low, high = wilson(8, 10)  # 0.490 to 0.943
    assert low == pytest.approx(0.4902, abs=5e-4)
    assert high == pytest.approx(0.9433, abs=5e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_average_precision_is_one_when_all_is_right_and_halves_with_half_the_dice() -> None:
    labels = truth((100, 100, 5), (200, 100, 5))
    both = compare(seen((100, 100, 5, 1.0), (200, 100, 5, 1.0)), labels)
    one = compare(seen((100, 100, 5, 1.0)), labels)
    assert average_precision([both], (0.5,)) == pytest.approx(1.0)
    assert average_precision([one], (0.5,)) == pytest.approx(0.505, abs=0.01)


def test_reliability_bands_hold_every_pair_once() -> None:
    outcome = compare(seen((100, 100, 5, 0.95), (200, 100, 5, 0.6)), truth((100, 100, 5), (200, 100, 4)))
    bands = reliability([outcome], (0.0, 0.8, 1.01))
    assert [(low, count, right) for low, count, _, right in bands] == [(0.0, 1, 0.0), (0.8, 1, 1.0)]


def test_a_box_around_a_pip_is_removed_and_touching_dice_stay() -> None:
    found = np.array([[0, 0, 100, 100], [40, 40, 60, 60], [98, 0, 198, 100], [3, 3, 103, 103]], np.float32)
    kept = suppress(found, np.array([0.5, 0.9, 0.6, 0.4], np.float32), np.array([True, True, True, True]))
    assert sorted(kept) == [0, 2]


def test_a_large_box_suppresses_only_boxes_with_low_scores() -> None:
    """Bug: the whole picture, with a finder score of 0.02, was read as a one and suppressed eight dice."""
    found = np.array([[0, 0, 640, 480], [130, 225, 165, 264], [253, 252, 289, 294]], np.float32)
    scores, sure = np.array([0.02, 0.67, 0.75], np.float32), np.array([True, True, True])
    assert sorted(suppress(found, scores, sure, scores)) == [1, 2]
    assert sorted(suppress(found, scores, sure, np.array([0, 0.01, 0.01], np.float32))) == [0]


@pytest.mark.parametrize(
    ("side", "large", "small", "crowd"),
    [(20, 0.5, 0.9, False), (20, 0.4, 0.9, True), (14, 0.5, 0.9, True), (14, 0.9, 0.8, False)],
)
def test_a_box_found_far_worse_than_the_die_in_it_is_a_crowd_of_dice(
    side: int, large: float, small: float, crowd: bool
) -> None:
    """Bug: a fast pass found all dice as one box with score 0.3 and suppressed them, each with 0.8."""
    boxes = np.array([(0, 0, 100, 100), (30, 30, 30 + side, 30 + side)], np.float32)
    kept = suppress(boxes, np.array([large, small], np.float32), np.array([True, False]))
    assert kept.tolist() == ([1] if crowd else [0])
    assert suppress(boxes[:0], np.zeros(0, np.float32), np.zeros(0, np.bool_)).shape == (0,)


def test_print_is_recognised_by_its_appearance_and_sooner_when_its_size_differs_from_the_dice() -> None:
    boxes = np.array([[0, 0, 40, 40], [100, 0, 138, 38], [200, 0, 220, 20], [300, 0, 380, 80]], np.float32)
    dice = np.array([0.01, 0.05], np.float32)
    assert printed(boxes, np.append(dice, [0.5, 0.5]).astype(np.float32)).tolist() == [False, False, True, True]
    assert printed(boxes[[0, 1, 0]], np.append(dice, 0.75).astype(np.float32)).tolist() == [False, False, False]
    assert printed(boxes[[0, 1, 0]], np.append(dice, 0.85).astype(np.float32)).tolist() == [False, False, True]
    # Where none surely is there, nothing is known of its size.
    assert printed(boxes, np.array([0.5, 0.85, 0.5, 0.85], np.float32)).tolist() == [False, True, False, True]
    assert printed(boxes[:0], dice[:0]).shape == (0,)


def test_in_a_photo_dice_that_are_probably_printed_are_removed() -> None:
    """Of 174 printed dice that were taken for dice, 56 were probably printed; of 1,597 real dice, three."""
    boxes = np.array([[100 * i, 0, 100 * i + 40, 40] for i in range(4)], np.float32)
    cards = np.array([0.01, 0.4, 0.6, 0.95], np.float32)
    assert printed(boxes, cards, still=True).tolist() == [False, False, True, True]
    assert printed(boxes, cards).tolist() == [False, False, False, True], "a film remembers where print was seen"


def test_a_photo_without_a_surely_printed_die_shows_dice() -> None:
    """In a photo of two yellow and three white touching dice, one white die was taken for print."""
    yellow, white = [[497, 874, 673, 1066], [625, 798, 802, 989]], [[648, 638, 823, 819], [413, 579, 560, 730]]
    boxes = np.array([*yellow, *white, [532, 613, 671, 750]], np.float32)
    ink = np.array([0.03, 0.1, 0.24, 0.76, 0.87], np.float32)
    assert not printed(boxes, ink, still=True).any()
    assert printed(boxes, ink).tolist() == [False] * 4 + [True], "a film needs no photo's prior"


def test_dice_in_a_row_are_all_printed_or_all_real() -> None:
    row = np.array([[45 * i, 0, 45 * i + 40, 40] for i in range(4)], np.float32)
    ink = np.array([0.9, 0.9, 0.6, 0.9], np.float32)
    assert (with_neighbours(row, ink) > 0.75).all()
    assert (with_neighbours(row, 1 - ink) < 0.25).all()
    apart = row + np.array([[120 * i, 0, 120 * i, 0] for i in range(4)], np.float32)
    np.testing.assert_allclose(with_neighbours(apart, ink), ink, atol=1e-5)
    larger = row.copy()
    larger[2] = [85, -20, 165, 60]
    assert with_neighbours(larger, ink)[2] == pytest.approx(0.6, abs=1e-4), "another size is another thing"
    assert with_neighbours(row[:0], ink[:0]).shape == (0,)


def test_views_cover_every_pixel_at_the_finest_scale() -> None:
    image = np.zeros((1500, 2100, 3), np.uint8)
    looked = views(ImagePyramid(image), thorough=True)
    scale = max(view.scale for view in looked)
    assert scale >= 0.75
    finest = [view for view in looked if view.scale == scale]
    covered = np.zeros((round(1500 * scale), round(2100 * scale)), bool)
    for view in finest:
        height, width = view.pixels.shape[:2]
        assert max(height, width) <= 1280
        covered[view.top : view.top + height, view.left : view.left + width] = True
    assert covered.all()
    assert len(views(ImagePyramid(image), thorough=False)) == 2


@pytest.mark.parametrize(
    ("dice", "ghost"),
    [
        ([(204, 115, 239, 153)], (187, 98, 234, 138)),  # beside one die, as large as it
        ([(304, 198, 334, 228), (331, 226, 361, 259)], (314, 216, 356, 246)),  # between two
    ],
)
def test_a_box_nearer_to_a_die_than_two_dice_can_rest_is_dropped(dice: list[Box], ghost: Box) -> None:
    """In rendered films such boxes were as certain as the dice, and a roll of four counted as one of five."""
    found = np.array([*dice, ghost], np.float32)
    sure = np.full(len(found), 0.99, np.float32)
    sure[-1] = 0.98
    assert sorted(suppress(found, sure, sure > 0.5)) == list(range(len(dice)))


def test_two_dice_that_touch_at_a_corner_are_two() -> None:
    """The nearest labelled pair in the photos: centres half a die apart, a quarter of the area shared."""
    found = np.array([(100, 100, 140, 140), (114, 116, 154, 156)], np.float32)
    assert len(suppress(found, np.array([0.9, 0.8], np.float32), np.array([True, True]))) == 2


def test_silent_mistakes_are_counted_by_the_size_of_the_dice() -> None:
    boxes = np.array([[0, 0, 18, 16], [50, 0, 68, 18], [100, 0, 150, 50]], np.float32)
    chances = np.array([[0.9, 0.1, 0, 0, 0, 0], [0.9, 0.1, 0, 0, 0, 0], [0.6, 0.4, 0, 0, 0, 0]], np.float32)
    outcome = compare(Detections(boxes, chances, np.ones(3)), Truth(boxes, np.array([1, 2, 2])))
    assert undetected_by_size([outcome], (0, 20, 64)) == [(0, 2, 1)]
