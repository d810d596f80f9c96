"""Image pyramids: each level is built once, sampled finely enough, and not shifted."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.dice.crops import crop_at
from vision.dice.pyramid import HALVED, ImagePyramid
from vision.dice.tiling import views, views_within


def noise(width: int, height: int) -> npt.NDArray[np.uint8]:
    return np.random.default_rng(3).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_each_pyramid_level_is_built_once_for_any_number_of_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Halving the image around each large die separately took a tenth of a frame's time."""
    made: list[int] = []
    resize = cv2.resize

    def spied(image: npt.NDArray[np.uint8], size: tuple[int, int], **how: int) -> object:
        made.append(size[0])
        return resize(image, size, **how)

    monkeypatch.setattr(cv2, "resize", spied)
    picture = ImagePyramid(noise(1280, 720))
    for left in range(100, 900, 50):
        crop_at(picture, np.array([left, 200, left + 180, 380], np.float32), 80)
    views(picture, thorough=False)
    assert made == [640, 320, 256]  # a half, which the finder is shown too, and its small copy


@given(st.floats(0.001, 3.0), st.integers(1, 300), st.integers(1, 300))
def test_sampling_averages_first_except_at_the_smallest_level(scale: float, width: int, height: int) -> None:
    copy, factor = ImagePyramid(noise(width, height)).near(scale)
    assert copy.shape[:2] == (height // factor or 1, width // factor or 1)
    assert scale * factor >= HALVED or min(copy.shape[:2]) == 1
    assert factor == 1 or scale * factor < 2 * HALVED


@settings(max_examples=40)
@given(st.floats(400, 600), st.floats(400, 600), st.floats(20, 340), st.floats(-30, 30))
def test_a_crop_shows_the_middle_of_the_box_in_its_middle(x: float, y: float, side: float, turn: float) -> None:
    """From any level: without a correction, pixels of the 1/8 level are off by three and a half image pixels."""
    rows, columns = np.mgrid[:1000, :1000].astype(np.float32)
    spot = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * (0.12 * side) ** 2))
    image = np.repeat((spot * 255).round()[..., None], 3, axis=2).astype(np.uint8)
    box = np.array([x - side / 2, y - side / 2, x + side / 2, y + side / 2], np.float32)
    look = crop_at(ImagePyramid(image), box, 80, context=1.6, turn=turn)[..., 0].astype(np.float64)
    across, down = (look.sum(axis=axis) @ np.arange(80) / look.sum() for axis in (0, 1))
    assert abs(across - 40) < 0.15
    assert abs(down - 40) < 0.15


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (4000, 3000), (641, 479)])
def test_grey_noise_seen_from_afar_is_grey(size: tuple[int, int]) -> None:
    """Point sampling instead of averaging would turn fine pips to noise."""
    whole = ImagePyramid(noise(*size)).resized((256, round(256 * size[1] / size[0])))
    assert whole.shape[1::-1] == (256, round(256 * size[1] / size[0]))
    assert whole.std() < 74 * 256 * 1.3 / size[0]


@pytest.mark.parametrize(("die", "sides"), [(0.0, [640, 256]), (60.0, [640]), (200.0, [640, 256])])
def test_a_fast_search_skips_the_copy_for_larger_dice_if_their_width_is_known(die: float, sides: list[int]) -> None:
    shown = views_within(ImagePyramid(np.zeros((720, 1280, 3), np.uint8)), (0, 0, 1280, 720), die)
    assert [view.pixels.shape[1] for view in shown] == sides
