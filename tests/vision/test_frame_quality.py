"""Whether a frame is fit for reading dice: light, frozen camera, sharpness."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.moving_table import table
from vision import messages
from vision.tracking.frame_quality import FrameQuality, blur_width


def test_a_black_picture_is_reported() -> None:
    check = FrameQuality()
    dark = np.random.default_rng(1).integers(0, 6, (480, 640, 3), dtype=np.uint8)
    assert check.step(dark, 0.0) == messages.BLACK
    assert check.step(table(), 0.1) is None


def test_an_overexposed_picture_is_reported() -> None:
    assert FrameQuality().step(np.full((480, 640, 3), 255, np.uint8), 0.0) == messages.BRIGHT


def test_a_white_mat_in_good_light_is_not_an_overexposed_picture() -> None:
    """Bug: a sheet of paper filled more than half the frame, and nothing was recorded."""
    image = np.full((480, 640, 3), 255, np.uint8)
    image[:40] = image[-40:] = 160
    image[200:250, 300:350] = 60
    assert FrameQuality().step(image, 0.0) is None


def test_a_white_table_is_no_overexposed_picture_with_dice_on_it_or_once_they_are_gone() -> None:
    """Bug: nothing was recorded of white dice on a white table, although every pip was visible."""
    empty = np.full((480, 640, 3), 255, np.uint8)
    dice = empty.copy()
    for left in (100, 300, 500):
        dice[200:240, left : left + 40] = 200
    check = FrameQuality()
    assert [check.step(dice, 0.0), check.step(empty, 0.1)] == [None, None]
    burnt = FrameQuality()
    assert [burnt.step(table(), 0.0), burnt.step(empty, 0.1)] == [None, messages.BRIGHT]


def test_a_frozen_camera_is_reported_within_two_seconds_but_not_a_still_video() -> None:
    camera, video = FrameQuality(live=True), FrameQuality(live=False)
    picture = table()
    said = [camera.step(picture.copy(), n / 10) for n in range(25)]
    assert said[5] is None
    assert said[20] == messages.FROZEN
    assert all(video.step(picture.copy(), n / 10) is None for n in range(25))
    assert camera.step(table(seed=2), 2.6) is None


def test_a_blurred_die_has_wide_edges() -> None:
    sharp = table(((300, 200),))
    box = (280.0, 180.0, 320.0, 220.0)
    widths = [blur_width(cv2.GaussianBlur(sharp, (0, 0), blur), box) for blur in (0.5, 2.0, 5.0)]
    assert widths == sorted(widths)
    assert widths[0] < 0.1
