"""Label errors in photos: the list, and results corrected for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.kit.evaluation.frame import HEIGHT, WIDTH, as_frame
from tests.kit.evaluation.label_errors import LabelError, corrected, label_errors
from tests.kit.evaluation.photos import Measured
from tests.kit.evaluation.scoring import Tally, Truth, compare
from vision.dice.detections import Detections

LIST = Path(__file__).resolve().parents[2] / "datasets" / "dev_label_errors.csv"
BOXES = np.array([[0, 0, 10, 10], [50, 0, 60, 10], [0, 50, 10, 60]], np.float32)


def read_as(*faces: int, labels: list[int]) -> Measured:
    """A picture with these labels and these certain readings."""
    truth = Truth(BOXES[: len(labels)], np.array(labels))
    chances = np.eye(6, dtype=np.float32)[[face - 1 for face in faces]]
    seen = Detections(BOXES[: len(faces)], chances, np.ones(len(faces), np.float32))
    return Measured(Path("plush__a.jpg"), compare(seen, truth), 0.0)


def error(row: int, shows: int | None, unlabelled: bool) -> LabelError:
    left, top, right, bottom = map(float, BOXES[row])
    return LabelError("plush__a.jpg", (left, top, right, bottom), shows, unlabelled)


def tally(measured: Measured, *errors: LabelError) -> Tally:
    return Tally.of([m.outcome for m in corrected([measured], errors)])


def test_a_wrong_label_is_no_mistake_of_the_reader() -> None:
    measured = read_as(5, 1, labels=[2, 1])
    assert tally(measured).undetected == 1
    now = tally(measured, error(0, 5, unlabelled=False))
    assert (now.right, now.wrong, now.undetected) == (2, 0, 0)


def test_a_correction_can_also_show_that_the_reader_erred() -> None:
    measured = read_as(2, labels=[2])
    assert tally(measured, error(0, 5, unlabelled=False)).undetected == 1


def test_a_die_without_a_label_counts_as_any_other() -> None:
    measured = read_as(2, 6, labels=[2])
    assert tally(measured).extra == 1
    now = tally(measured, error(1, 6, unlabelled=True))
    assert (now.dice, now.right, now.extra) == (2, 2, 0)
    assert tally(measured, error(2, 6, unlabelled=True)).missed == 1


def test_an_illegible_die_counts_neither_as_missed_nor_as_false() -> None:
    now = tally(read_as(2, 6, labels=[2]), error(1, None, unlabelled=True))
    assert (now.dice, now.right, now.extra) == (1, 1, 0)


def test_a_die_read_right_counts_as_right_where_the_label_holds_its_top_pips_alone() -> None:
    pips = np.array([[1, 1, 4, 3]], np.float32)
    seen = Detections(BOXES[:1], np.eye(6, dtype=np.float32)[[1]], np.ones(1, np.float32))
    measured = Measured(Path("plush__a.jpg"), compare(seen, Truth(pips, np.array([2]))), 0.0)
    assert (tally(measured).missed, tally(measured).extra) == (1, 1)
    now = tally(measured, error(0, 2, unlabelled=False))
    assert (now.dice, now.right, now.missed, now.extra) == (1, 1, 0, 0)


def test_corrections_reach_no_other_picture() -> None:
    other = LabelError("plush__b.jpg", (0, 0, 10, 10), 5, False)
    assert tally(read_as(5, labels=[2]), other).undetected == 1


def test_the_list_is_readable_and_a_damaged_line_is_named(tmp_path: Path) -> None:
    assert len(label_errors(LIST)) > 10
    (tmp_path / "list.csv").write_text(LIST.read_text().splitlines()[0] + "\na.jpg,1,2,3,x,none,5,?\n")
    with pytest.raises(ValueError, match="line 2"):
        label_errors(tmp_path / "list.csv")


@pytest.mark.parametrize("size", [(480, 640), (1280, 1280), (720, 1280), (3000, 2000)])
def test_a_picture_of_any_shape_fills_a_frame(size: tuple[int, int]) -> None:
    image = np.full((*size, 3), 7, np.uint8)
    frame = as_frame(image)
    assert frame.shape == (HEIGHT, WIDTH, 3)
    assert (frame == 7).all()
