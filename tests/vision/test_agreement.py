"""Several passes over one photo are fused into one result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.resources import resource
from tests.kit.evaluation.scoring import ASK
from tests.kit.plain_dice import draw_die
from tests.vision.drawn import no_ink, table
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.dice.fusion import FEW_DICE, agree, doubtful, fused, lone, with_doubt
from vision.dice.parts import Parts
from vision.dice.pyramid import ImagePyramid
from vision.types import Box, Image

HERE, THERE = (100.0, 100.0, 140.0, 140.0), (300.0, 100.0, 340.0, 140.0)


def seen(*dice: tuple[Box, int, float]) -> Detections:
    """Detections from (place, likeliest face, its probability); all are surely dice."""
    boxes = np.array([box for box, _, _ in dice], np.float32).reshape(-1, 4)
    chances = np.array([[sure if face == f else (1 - sure) / 5 for f in range(1, 7)] for _, face, sure in dice])
    return Detections(boxes, chances.reshape(-1, 6), np.ones(len(dice)))


@pytest.mark.parametrize(
    ("saw", "of", "counts"), [(1, 2, True), (1, 3, False), (2, 3, True), (2, 4, True), (2, 6, False), (3, 6, True)]
)
def test_a_pass_that_found_nothing_speaks_against_a_die(saw: int, of: int, counts: bool) -> None:
    """A pass misses one in several hundred dice that another one finds, but every sixth false one: Ludo homes, chips
    and board patterns look like dice at one size only."""
    passes = [seen((HERE, 5, 0.9), (THERE, 1, 0.99))] * saw + [seen((HERE, 5, 0.9))] * (of - saw)
    assert fused(passes).faces.tolist() == [5, 1][: 1 + counts]


def test_a_pass_that_doubts_a_die_says_less_against_it_than_one_that_found_nothing() -> None:
    sure, doubted = seen((HERE, 5, 0.9)), replace(seen((HERE, 5, 0.9)), scores=np.array([0.2]))
    assert fused([sure, doubted]).scores[0] > fused([sure, seen()]).scores[0]
    assert len(fused([doubted, doubted])) == 0


def test_a_doubtful_die_has_a_low_confidence() -> None:
    """Bug: 122 of 164 false dice in photos of look-alikes had a confidence of 0.8 or more, which was that of the face
    alone."""
    doubted = with_doubt(replace(seen((HERE, 5, 0.99), (THERE, 1, 0.99)), scores=np.array([0.6, 1.0])))
    assert doubted.faces.tolist() == [5, 1]
    assert doubted.confidences == pytest.approx([0.6 * 0.99 + 0.4 / 6, 0.99], abs=1e-5)
    assert doubted.probabilities.sum(axis=1) == pytest.approx(1.0)


def test_a_die_smaller_than_the_readers_are_made_for_is_asked_about() -> None:
    """Solder pads, keys and beads of 12 to 19 pixels were 16 of the 19 sure false dice in 418 photos without dice."""
    small, large = (100.0, 100.0, 119.0, 112.0), (300.0, 100.0, 321.0, 121.0)
    doubted = with_doubt(seen((small, 1, 1.0), (large, 1, 1.0)))
    assert doubted.faces.tolist() == [1, 1]
    assert doubted.confidences[0] < ASK <= doubted.confidences[1]


def test_an_expensive_pass_runs_only_if_it_can_decide() -> None:
    """Bug: a second pass at 12 megapixels took most of a photo's time, without effect in three of four."""
    one, both = seen((HERE, 5, 0.9)), seen((HERE, 5, 0.9), (THERE, 1, 0.99))
    assert lone([both, one, one])
    assert not lone([one, both, one]), "one of six would not count"
    assert not lone([both, both, seen()])


def test_passes_that_contradict_each_other_lower_the_confidence() -> None:
    both = fused([seen((HERE, 5, 0.99)), seen((HERE, 4, 0.6))])
    assert both.faces[0] == 5
    assert both.confidences[0] < 0.9
    assert fused([seen((HERE, 5, 0.9)), seen((HERE, 5, 0.9))]).confidences[0] == pytest.approx(0.9, abs=0.01)


def test_of_a_die_and_its_pips_the_die_remains() -> None:
    """Bug: in photos of 12 megapixels, the green pips of a purple die were read as ones. Most passes doubt pips."""
    die, pip = (100.0, 100.0, 500.0, 500.0), (150.0, 150.0, 230.0, 230.0)
    sure = seen((die, 2, 0.99), (pip, 1, 0.99))
    doubted = replace(sure, scores=np.array([1.0, 0.02], np.float32))
    assert fused([sure, doubted, doubted]).xyxy.tolist() == [list(die)]


def test_a_die_that_all_passes_together_call_printed_is_removed() -> None:
    """Bug: each pass judged print alone, so a printed die was reported if one pass of two accepted it."""
    ink = [replace(seen((HERE, 5, 0.99)), ink=np.array([chance], np.float32)) for chance in (0.97, 0.85, 0.1)]
    assert len(fused(ink[:2])) == 0
    assert len(fused(ink[1:])) == 1
    assert len(fused([ink[0], ink[2]])) == 1, "as likely a die"


def test_passes_agree_if_they_saw_the_same_dice_with_the_same_faces() -> None:
    one = seen((HERE, 5, 0.9), (THERE, 2, 0.9))
    same, other_face, one_missed = seen((THERE, 2, 0.5), (HERE, 5, 0.9)), (THERE, 3, 0.9), seen((HERE, 5, 0.9))
    assert agree([one, same, same])
    assert not agree([one, same, seen((HERE, 5, 0.9), other_face)])
    assert not agree([one, same, one_missed])
    assert agree([seen(), seen(), seen()])


def test_a_pip_in_the_middle_of_a_die_is_not_fused_with_the_die() -> None:
    """Bug: a pip of a large die was averaged with the die, because their centres are closer than those of two dice."""
    die, pip = (100.0, 100.0, 500.0, 500.0), (260.0, 260.0, 340.0, 340.0)
    assert not agree([seen((die, 5, 0.99)), seen((pip, 1, 0.99))])
    both = fused([seen((die, 5, 0.99)), seen((pip, 1, 0.99)), seen((die, 5, 0.99))])
    assert both.xyxy.tolist() == [list(die)]
    assert both.confidences[0] > 0.98


def row_of(count: int, sure: float, die: float = 1.0) -> Detections:
    dice = seen(*(((60.0 * i, 0.0, 60.0 * i + 40, 40.0), 3, sure) for i in range(count)))
    return replace(dice, scores=np.full(count, die, np.float32))


def test_few_or_unsure_dice_get_a_second_pass() -> None:
    assert doubtful(row_of(FEW_DICE, 1.0))
    assert doubtful(row_of(FEW_DICE + 1, 1.0, die=0.95))
    assert not doubtful(row_of(FEW_DICE + 1, 0.99))
    assert not doubtful(row_of(FEW_DICE + 1, 0.6)), "a smaller copy shows the face no better"


def test_a_photo_without_doubt_gets_one_pass_and_a_live_frame_one_refined_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """A doubtful photo may take two and a half times as long; a refined pass over a live frame may not."""
    detector, sizes, verified_passes = Detector(resource("models")), [], []
    answers = iter([row_of(FEW_DICE + 1, 0.99), *[seen()] * 3, row_of(FEW_DICE, 0.99), *[seen()] * 8])

    def one_pass(self: Detector, picture: ImagePyramid, image: Image, *, verified: bool = False) -> Parts[Detections]:
        yield 0.0
        sizes.append(picture.size)
        verified_passes.append(verified)
        return next(answers)

    monkeypatch.setattr(Detector, "_in_proportion", one_pass)
    image = table(2500, 1250)
    assert len(detector.detect(image, thorough=True)) == FEW_DICE + 1
    assert sizes == [(2500, 1250)]
    whole, larger, smaller = (2500, 1250), (1600, 800), (1000, 500)
    sizes.clear()
    detector.detect(image, thorough=True)
    assert sizes == [whole, larger, smaller], "three that agree are enough"
    sizes.clear()
    detector.detect(image, thorough=True)
    assert sizes == [whole, larger, smaller, larger, smaller, whole], "each size in a mirror and not"
    sizes.clear()
    detector.detect(table(1000, 500), thorough=True)
    assert sizes == [(1000, 500)] * 2, "smaller copies of a small picture would show less"
    sizes.clear()
    detector.detect_once(image)
    assert len(sizes) == 1
    assert all(verified_passes[:-1])
    assert not verified_passes[-1], "the verifier does not know dice out of focus, as live pictures show them"


@pytest.mark.slow
@pytest.mark.parametrize("wide", [0.45, 0.62, 0.75])
def test_a_die_that_fills_the_picture_is_found_and_its_pips_are_not_dice(
    monkeypatch: pytest.MonkeyPatch, wide: float
) -> None:
    """Bug: every copy was too fine, so only the pips of a die that fills the picture were found, as ones."""
    monkeypatch.setattr(Detector, "_ink", no_ink)
    image: Image = table(1280, 1280)
    draw_die(image, 640, 640, round(wide * 1280), 5, turn=12)
    seen = Detector(resource("models")).detect_once(image)
    assert seen.faces.tolist() == [5]
    assert (seen.xyxy[0, 2:] - seen.xyxy[0, :2]).max() > wide * 1024
