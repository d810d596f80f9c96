"""While a camera refocuses, as phones do when a hand comes or goes, no die is gone, rolled or turned."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest

from tests.vision.squares import DICE, Squares, picture
from vision.dice.detections import Detections
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.tracking.constants import BLURS, HUNTING_SECONDS
from vision.tracking.focus import Focus
from vision.tracking.likeness import Template
from vision.tracking.tracked_die import TrackedDie
from vision.types import Frame, Reading

BOX = (100.0, 100.0, 140.0, 140.0)


def die(pips: bool = True, grey: int = 235) -> np.ndarray:
    """A light die on a dark cloth, with two dark pips."""
    image = np.random.default_rng(1).normal(70, 3, (240, 320, 3)).astype(np.uint8)
    image[100:140, 100:140] = grey
    for x in (110, 130) if pips else ():
        cv2.circle(image, (x, x), 5, (30, 30, 30), -1)
    return image


@pytest.mark.parametrize("blur", BLURS[:5])
def test_a_die_is_recognised_as_blurred_as_it_is(blur: float) -> None:
    image = die()
    soft = cv2.GaussianBlur(image, (0, 0), 40 * blur) if blur else image
    assert Template.of(image, BOX).blur_in(soft) == pytest.approx(blur, abs=0.051)


def test_a_die_is_recognised_in_other_light_and_where_the_camera_trembles() -> None:
    template = Template.of(die(), BOX)
    assert template.blur_in(cv2.convertScaleAbs(die(), alpha=0.7)) == 0
    assert template.blur_in(np.roll(die(), 3, axis=1)) == 0


@pytest.mark.parametrize("what", ["table", "hand", "mark"])
def test_an_empty_place_a_hand_and_a_faint_mark_are_not_taken_for_the_die(what: str) -> None:
    image = die()
    bare = np.random.default_rng(2).normal(70, 3, image.shape).astype(np.uint8)
    seen = {"table": bare, "mark": bare.copy(), "hand": bare.copy()}[what]
    if what == "mark":
        seen[100:140, 100:140] = 110
    if what == "hand":
        cv2.line(seen, (60, 240), (125, 110), (120, 150, 205), 60)
    assert Template.of(image, BOX).blur_in(seen) is None


def test_a_die_at_the_pictures_edge_is_recognised() -> None:
    image = np.roll(die(), (-100, -100), axis=(0, 1))
    assert Template.of(image, (0.0, 0.0, 40.0, 40.0)).blur_in(image) == 0


class Misled(Squares):
    """Misses what is blurred, or reads it as a six."""

    def read(self, image, boxes) -> Detections:
        seen = super().read(image, boxes)
        rows = [image[int((b[1] + b[3]) / 2), max(0, int(b[0]) - 9) : int(b[0]) + 12, 0].astype(int) for b in boxes]
        soft = np.array([len(row) > 1 and np.abs(np.diff(row)).max() < 40 for row in rows], np.bool_)
        six = np.full((len(boxes), 6), 0.01, np.float32)
        six[:, 5] = 0.95
        chances = np.where(soft[:, None], six, seen.probabilities)
        gone = soft & (np.arange(len(boxes)) % 2 == 0)
        return replace(seen, probabilities=chances, scores=np.where(gone, np.float32(0), seen.scores))


def watched(seconds: float, hunts: tuple[float, float], pixels: float = 5.0, dice=lambda now: DICE) -> list[Reading]:
    """Thirty frames a second, blurred by this many pixels for a while."""
    pipeline, readings = Pipeline(Misled(), WholePicture()), []
    for number in range(round(seconds * 30)):
        now = number / 30
        image = picture(dice(now), number)
        if hunts[0] <= now < hunts[1]:
            image = cv2.GaussianBlur(image, (0, 0), pixels)
        readings.append(pipeline.step(Frame(image, now, number)))
    return readings


def test_while_the_camera_refocuses_dice_are_not_gone_rolled_or_turned() -> None:
    """Bug: in five of 18 films a roll was missed or invented, and seven times resting dice were left out without a
    doubt."""
    readings = watched(4.0, (1.5, 2.3))
    assert {reading.active for reading in readings if reading.settled and reading.seconds > 1.0} == {(4, 4, 4)}
    assert {round(reading.rolls) for reading in readings[30:]} == {1}
    assert readings[-1].settled


@pytest.mark.parametrize(("blurs", "hunting"), [((0.0, 0.3), False), ((0.3, 0.3), True), ((0.0, 0.2, 0.3), True)])
def test_a_frame_is_out_of_focus_where_most_dice_are(blurs: tuple[float, ...], hunting: bool) -> None:
    """Bug: the empty place of one die looked like the die out of focus, so the table was not read although the other
    die was sharp."""
    focus, image, now = Focus(), die(), [0.0] * len(blurs)
    dice = [TrackedDie(track, BOX) for track in range(len(blurs))]
    for row, one in enumerate(dice):
        one.template = cast(Template, SimpleNamespace(box=BOX, blur_in=lambda _, row=row: now[row]))
    focus.step(image, dice, (), 0.9)
    now[:] = blurs
    focus.step(image, dice, (), 1.0)
    assert focus.hunting is hunting


def test_a_die_put_down_while_the_camera_refocuses_is_not_left_out() -> None:
    readings = watched(5.0, (1.5, 2.3), dice=lambda now: DICE[:2] if now < 1.8 else DICE)
    later = [reading.active + reading.kept for reading in readings if reading.settled and reading.seconds > 1.9]
    assert set(later) == {(4, 4, 4)}
    assert readings[-1].settled


@pytest.mark.slow
def test_a_picture_that_stays_out_of_focus_is_read_as_it_is() -> None:
    """Otherwise a lens that was turned would keep the last reading forever."""
    readings = watched(6.0, (1.5, 9.0), dice=lambda now: DICE if now < 4.0 else ())
    late = [reading for reading in readings if reading.seconds > 4.0 + 2 * HUNTING_SECONDS - 1.5]
    assert late[-1].active == ()
